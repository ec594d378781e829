/** Times in which nothing is shown: quiet hours, and pauses of this browser. */

import type { QuietHours } from '../push/api';

/** The hour at which a pause until tomorrow ends. */
const MORNING_HOUR = 8;

/** Whether quiet hours include this moment. A time zone that the browser does not know has none. */
export function isQuiet(hours: QuietHours | null | undefined, now: Date): boolean {
  if (hours == null) return false;
  const [start, end, minute] = [minuteOf(hours.start), minuteOf(hours.end), minuteIn(hours.time_zone, now)];
  if (start === undefined || end === undefined || minute === undefined) return false;
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}

/** `22:30` in minutes after midnight. */
function minuteOf(text: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
  return hours === undefined || minutes === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

function minuteIn(timeZone: string, now: Date): number | undefined {
  try {
    const format = new Intl.DateTimeFormat('en', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    return minuteOf(format.format(now));
  } catch {
    return undefined;
  }
}

/** The next morning, by the clock of this device. Before the morning, that of the same day. */
export function nextMorning(now: Date): Date {
  const morning = new Date(now);
  morning.setHours(MORNING_HOUR, 0, 0, 0);
  if (morning.getTime() <= now.getTime()) morning.setDate(morning.getDate() + 1);
  return morning;
}

export function inOneHour(now: Date): Date {
  return new Date(now.getTime() + 3_600_000);
}
