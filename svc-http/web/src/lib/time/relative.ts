/** Times in words, as seen from now. */

import { dateOf, dayOf, minuteOf, secondOf, zoneOf } from './local';

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `5 minutes ago`, `in 2 hours`; anything closer than five seconds is `just now`. */
export function relativeTime(moment: Date, now: Date): string {
  const seconds = Math.trunc((moment.getTime() - now.getTime()) / 1_000);
  if (Math.abs(seconds) < 5) return 'just now';

  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  const count = Math.trunc(Math.abs(seconds) / length);
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return seconds < 0 ? `${words} ago` : `in ${words}`;
}

const LENGTHS = [
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `45 seconds`, `3 minutes`, `2 hours`: never shorter than it is. */
export function durationInWords(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  const [unit, length] = LENGTHS.find(([, length]) => whole >= 2 * length) ?? ['second', 1];
  const count = Math.ceil(whole / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The exact local time with its offset, for hovering. */
export function exactTime(moment: Date): string {
  return `${dayOf(moment)} at ${secondOf(moment)} ${zoneOf(moment)}`;
}

/** `14:03`, or with the day when that is another one. */
export function clockTime(moment: Date, now: Date): string {
  const [day, time] = [dateOf(moment), minuteOf(moment)];
  return day === dateOf(now) ? time : `${time} on ${day}`;
}
