import { expect, test } from 'vitest';
import { clockTime, durationInWords, exactTime, relativeTime } from './relative';

const now = new Date('2026-03-01T12:00:00.000Z');

test.each([
  ['2026-03-01T12:00:00.000Z', 'just now'],
  ['2026-03-01T11:59:56.000Z', 'just now'],
  ['2026-03-01T12:00:04.000Z', 'just now'],
  ['2026-03-01T11:59:55.000Z', '5 seconds ago'],
  ['2026-03-01T11:58:59.000Z', '1 minute ago'],
  ['2026-03-01T10:00:00.000Z', '2 hours ago'],
  ['2026-02-28T11:00:00.000Z', '1 day ago'],
  ['2026-02-20T12:00:00.000Z', '1 week ago'],
  ['2025-12-01T12:00:00.000Z', '3 months ago'],
  ['2023-03-01T12:00:00.000Z', '3 years ago'],
  ['2026-03-01T14:00:00.000Z', 'in 2 hours'],
])('%s is %s', (moment, expected) => {
  expect(relativeTime(new Date(moment), now)).toBe(expected);
});

test.each([
  [0, '1 second'],
  [1, '1 second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [7_199, '120 minutes'],
  [7_200, '2 hours'],
  [86_000, '24 hours'],
])('%d seconds are at most %s', (seconds, words) => expect(durationInWords(seconds)).toBe(words));

test('the exact time names day, time and zone', () => {
  expect(exactTime(now)).toBe('Sunday 1 March 2026 at 12:00:00 UTC');
});

test.each([
  ['2026-03-01T09:05:00.000Z', '09:05'],
  ['2026-02-28T23:59:00.000Z', '23:59 on 28 February 2026'],
])('%s was at %s', (moment, expected) => {
  expect(clockTime(new Date(moment), now)).toBe(expected);
});
