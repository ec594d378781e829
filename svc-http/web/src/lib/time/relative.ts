/** Times in words, as seen from now. */

import { formatIn } from './formats';

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const EXACT = { dateStyle: 'full', timeStyle: 'long' } as const;
/** Made when it is first used: that takes long, and many pages open without it. */
let words: Intl.RelativeTimeFormat | undefined;

/** `5 minutes ago`, `in 2 hours`; anything closer than five seconds is `just now`. */
export function relativeTime(moment: Date, now: Date): string {
  const seconds = Math.trunc((moment.getTime() - now.getTime()) / 1_000);
  if (Math.abs(seconds) < 5) return 'just now';

  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  words ??= new Intl.RelativeTimeFormat('en', { numeric: 'always' });
  return words.format(Math.trunc(seconds / length), unit);
}

/** The exact local time with its offset, for hovering. */
export function exactTime(moment: Date, timeZone?: string): string {
  return formatIn(EXACT, timeZone).format(moment);
}

/** `14:03`, or with the day when that is another one. */
export function clockTime(moment: Date, now: Date, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', ...zone });
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...zone }).format(
    moment,
  );
  return day.format(moment) === day.format(now) ? time : `${time} on ${day.format(moment)}`;
}
