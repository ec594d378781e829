/** The layout of a timeline: dates, the unread line, and grouping by author. */

import type { Message } from '../api/client';
import { dayOf } from '../time/local';

/** Messages of one author within this time are grouped under one name. */
const SAME_BREATH_MILLISECONDS = 5 * 60_000;

export interface Row {
  readonly message: Message;
  /** The day that begins with this message, if one does. */
  readonly day: string | undefined;
  /** Whether it is the first unread message. */
  readonly isFirstNew: boolean;
  /** Whether it is grouped with the message above. */
  readonly goesOn: boolean;
}

interface Reading {
  /** The message up to which everything has been read. */
  readonly readUpTo: number | undefined;
  /** Own messages are never new. */
  readonly me: string | undefined;
}

/** The position of the first unread message. */
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
