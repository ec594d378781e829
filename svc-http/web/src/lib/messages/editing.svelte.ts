/** Which message of a conversation is being edited, and which may be. */

import type { Message } from '../api/client';

/** A message may be on screen twice: in the timeline and in its thread. */
interface Edited {
  readonly id: number;
  readonly inThread: boolean;
}

export class Editing {
  #edited: Edited | undefined = $state.raw();

  begin(id: number, inThread = false): void {
    this.#edited = { id, inThread };
  }

  end(): void {
    this.#edited = undefined;
  }

  isOf(id: number, inThread: boolean): boolean {
    return this.#edited?.id === id && this.#edited.inThread === inThread;
  }
}

/** Whether I may try to edit a message. The hub knows for how long that is possible. */
export function isEditable(message: Message, me: string | undefined): boolean {
  return message.from === me && message.deleted_at == null && !isOfHub(message);
}

/** My last message that can be edited. */
export function lastEditable(messages: readonly Message[], me: string | undefined): Message | undefined {
  return messages.findLast((message) => isEditable(message, me));
}

/** Whether the hub has written the message, or told somebody of it. */
function isOfHub({ metadata }: Message): boolean {
  const words = ['auction', 'machine_event', 'mention', 'non_delivery', 'stalemate'];
  return Object.keys((metadata as object | null) ?? {}).some(
    (name) => words.includes(name) || name.startsWith('svc.'),
  );
}
