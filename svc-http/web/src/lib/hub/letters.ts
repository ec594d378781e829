/** Which unread direct messages are letters of their own. */

import type { Partner } from '../api/client';

/**
 * How many unread direct messages of a partner are letters. A mention in a channel is told once more as a direct
 * message; where the person is in that channel, it counts the same thing already.
 */
export function unreadLetters({ unread, mention_copies = 0 }: Partner): number {
  return Math.max(0, unread - mention_copies);
}

/**
 * How many unread direct messages of a partner count. The server does not tell from which channels copies of mentions
 * come, so once a channel is muted none of them counts: those of other channels count there already.
 */
export function countedUnread(partner: Partner, copies: 'counted' | 'left out'): number {
  return copies === 'counted' ? partner.unread : unreadLetters(partner);
}
