/** How a timeline is laid out: days, the line before what is new, and who goes on speaking. */

import type { Message } from '../api/client';
import { formatIn } from '../time/formats';

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

const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const dayFormat = (timeZone?: string) => formatIn(DAY, timeZone);

/** `readUpTo` is the message up to which everything has been read; own messages are never new. */
export function layOut(
  messages: readonly Message[],
  { readUpTo, me, timeZone }: { readUpTo: number | undefined; me: string | undefined; timeZone?: string },
): Row[] {
  const format = dayFormat(timeZone);
  const firstNew =
    readUpTo === undefined ? undefined : messages.find(({ id, from }) => id > readUpTo && from !== me);
  let lastDay: string | undefined;
  let above: Message | undefined;
  return messages.map((message) => {
    const day = format.format(new Date(message.created_at));
    const isNewDay = day !== lastDay;
    const isFirstNew = message === firstNew;
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
export function dayName(day: string, now: Date, timeZone?: string): string {
  const format = dayFormat(timeZone);
  if (day === format.format(now)) return 'Today';
  if (day === format.format(new Date(now.getTime() - 86_400_000))) return 'Yesterday';
  return day;
}
