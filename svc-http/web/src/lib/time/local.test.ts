import { afterEach, expect, test } from 'vitest';
import { dateOf, dayOf, minuteOf, secondOf, zoneOf } from './local';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each([
  ['UTC', 'Saturday 28 February 2026', '23:05:09', 'UTC'],
  ['Asia/Kolkata', 'Sunday 1 March 2026', '04:35:09', 'UTC+5:30'],
  ['America/St_Johns', 'Saturday 28 February 2026', '19:35:09', 'UTC−3:30'],
  ['Europe/Berlin', 'Sunday 1 March 2026', '00:05:09', 'UTC+1'],
])('a moment in %s', (name, day, time, offset) => {
  process.env['TZ'] = name;
  const moment = new Date('2026-02-28T23:05:09.400Z');
  expect(dayOf(moment)).toBe(day);
  expect(day.endsWith(dateOf(moment))).toBe(true);
  expect(secondOf(moment)).toBe(time);
  expect(time.startsWith(minuteOf(moment))).toBe(true);
  expect(zoneOf(moment)).toBe(offset);
});

test('every day and month is what the browser calls it', () => {
  process.env['TZ'] = 'UTC';
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  for (let day = 0; day < 366; day += 1) {
    const moment = new Date(Date.UTC(2028, 0, 1 + day, 12));
    expect(dayOf(moment)).toBe(format.format(moment).replace(',', ''));
  }
});
