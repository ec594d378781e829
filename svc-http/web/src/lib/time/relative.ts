/** Times in words, as seen from now. */

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** `5 minutes ago`, `in 2 hours`; anything closer than five seconds is `just now`. */
export function relativeTime(moment: Date, now: Date): string {
  const seconds = Math.trunc((moment.getTime() - now.getTime()) / 1_000);
  if (Math.abs(seconds) < 5) return 'just now';

  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return words.format(Math.trunc(seconds / length), unit);
}

/** The exact local time with its offset, for hovering. */
export function exactTime(moment: Date, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'full',
    timeStyle: 'long',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(moment);
}
