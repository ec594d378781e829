/** How a timeline is laid out: days, the line before what is new, and who goes on speaking. */

import type { Message } from '../api/client';
import { dayOf } from '../time/local';

/** Messages of one author this close together stand under one name. */
const SAME_BREATH_MILLISECONDS = 5 * 60_000;

export interface Row {
  readonly message: Message;
  /** The day that begins with this message, if one does. */
  readonly day: string | undefined;
  /** Whether what is new begins here. */
  readonly isFirstNew: boolean;
  /** Whether the author is the one above and goes on. */
  readonly goesOn: boolean;
}

interface Reading {
  /** The message up to which everything has been read. */
  readonly readUpTo: number | undefined;
  /** Own messages are never new. */
  readonly me: string | undefined;
}

/** The position at which what is new begins. */
export function firstNewIn(messages: readonly Message[], { readUpTo, me }: Reading): number | undefined {
  if (readUpTo === undefined) return undefined;
  const at = messages.findIndex(({ id, from }) => id > readUpTo && from !== me);
  return at === -1 ? undefined : at;
}

export function layOut(messages: readonly Message[], reading: Reading): Row[] {
  const firstNew = firstNewIn(messages, reading);
  let lastDay: string | undefined;
  let above: Message | undefined;
  return messages.map((message, at) => {
    const day = dayOf(new Date(message.created_at));
    const isNewDay = day !== lastDay;
    const isFirstNew = at === firstNew;
    const goesOn = !isNewDay && !isFirstNew && above !== undefined && isSameBreath(above, message);
    lastDay = day;
    above = message;
    return { message, day: isNewDay ? day : undefined, isFirstNew, goesOn };
  });
}

function isSameBreath(above: Message, message: Message): boolean {
  return (
    above.from === message.from &&
    above.subject === message.subject &&
    message.reply_to === above.reply_to &&
    Date.parse(message.created_at) - Date.parse(above.created_at) < SAME_BREATH_MILLISECONDS
  );
}

/** `today`, `yesterday`, or the day itself. */
export function dayName(day: string, now: Date): string {
  if (day === dayOf(now)) return 'Today';
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  return day === dayOf(yesterday) ? 'Yesterday' : day;
}
