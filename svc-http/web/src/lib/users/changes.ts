/** What an administrator can change about an account. */

import type { Schemas } from '../api/client';
import type { User } from './users.svelte';

export interface Change {
  /** The verb, on the menu and on the button. */
  readonly title: string;
  readonly question: string;
  /** What will happen. */
  readonly text: string;
  /** What is said afterwards. */
  readonly done: string;
  readonly isDangerous: boolean;
  /** What is sent; nothing for a new password. */
  readonly body?: Schemas['UpdateUser'];
}

/** The changes that make sense for an account, as the person with this name sees it. */
export function changesOf(user: User, me: string | undefined): readonly Change[] {
  const { username } = user;
  const changes: Change[] = [];
  if (user.role === 'user') {
    changes.push({
      title: 'Make administrator',
      question: `Make ${username} an administrator?`,
      text: `${username} can then manage all accounts, and see the audit log and the health of this hub.`,
      done: `${username} is an administrator now.`,
      isDangerous: false,
      body: { role: 'admin' },
    });
  } else {
    changes.push({
      title: 'Remove administrator role',
      question: `Remove the administrator role of ${username}?`,
      text: `${username} keeps the account, agents and messages.`,
      done: `${username} is no administrator any more.`,
      isDangerous: true,
      body: { role: 'user' },
    });
  }
  if (username !== me && !user.disabled_at) {
    changes.push({
      title: 'Reset password',
      question: `Reset the password of ${username}?`,
      text: `The old password stops working and ${username} is logged out everywhere, at once. You get a link with which ${username} chooses a new password. Keys and agents keep working.`,
      done: '',
      isDangerous: true,
    });
  }
  if (user.disabled_at) {
    changes.push({
      title: 'Reactivate',
      question: `Reactivate ${username}?`,
      text: `${username} can log in again. Keys and agents work again too.`,
      done: `${username} is active again.`,
      isDangerous: false,
      body: { disabled: false },
    });
  } else {
    changes.push({
      title: 'Deactivate',
      question: `Deactivate ${username}?`,
      text: `${username} is logged out everywhere. The account, its keys and its agents can do nothing until you reactivate it. Messages are kept.`,
      done: `${username} is deactivated.`,
      isDangerous: true,
      body: { disabled: true },
    });
  }
  return changes;
}
