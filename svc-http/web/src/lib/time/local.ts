/**
 * Days and times of the clock, as they are where the reader is. Made by hand from the parts of a date: the
 * browser's own formats take tens of milliseconds to make on a phone, and every message has a time.
 */

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MONTHS = [
  ...(['January', 'February', 'March', 'April', 'May', 'June', 'July'] as const),
  ...(['August', 'September', 'October', 'November', 'December'] as const),
] as const;

const two = (number: number) => String(number).padStart(2, '0');

/** `1 March 2026` */
export function dateOf(moment: Date): string {
  return `${moment.getDate()} ${MONTHS[moment.getMonth()]} ${moment.getFullYear()}`;
}

/** `Sunday 1 March 2026` */
export function dayOf(moment: Date): string {
  return `${WEEKDAYS[moment.getDay()]} ${dateOf(moment)}`;
}

/** `14:03` */
export function minuteOf(moment: Date): string {
  return `${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

/** `14:03:59` */
export function secondOf(moment: Date): string {
  return `${minuteOf(moment)}:${two(moment.getSeconds())}`;
}

/** `UTC`, `UTC+1`, `UTC−3:30` */
export function zoneOf(moment: Date): string {
  const ahead = -moment.getTimezoneOffset();
  if (ahead === 0) return 'UTC';
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  return `UTC${ahead < 0 ? '−' : '+'}${hours}${minutes === 0 ? '' : `:${two(minutes)}`}`;
}
