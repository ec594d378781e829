import { expect, test } from 'vitest';
import { inOneHour, isQuiet, nextMorning } from './quiet';

const berlin = { start: '22:00', end: '07:00', time_zone: 'Europe/Berlin' };

test.each([
  ['2026-01-10T20:59:59Z', false],
  ['2026-01-10T21:00:00Z', true],
  ['2026-01-10T23:30:00Z', true],
  ['2026-01-11T05:59:59Z', true],
  ['2026-01-11T06:00:00Z', false],
  // Summer time.
  ['2026-07-10T20:00:00Z', true],
])('at %s quiet hours past midnight say %s', (time, quiet) => {
  expect(isQuiet(berlin, new Date(time))).toBe(quiet);
});

test('quiet hours within a day, none, and ones that make no sense', () => {
  const noon = { start: '12:00', end: '13:30', time_zone: 'UTC' };
  expect(isQuiet(noon, new Date('2026-01-10T13:29:00Z'))).toBe(true);
  expect(isQuiet(noon, new Date('2026-01-10T13:30:00Z'))).toBe(false);
  expect(isQuiet(null, new Date())).toBe(false);
  expect(isQuiet({ ...noon, time_zone: 'Europe/Atlantis' }, new Date('2026-01-10T13:00:00Z'))).toBe(false);
});

test('a pause ends in an hour, or the next morning', () => {
  const evening = new Date(2026, 0, 10, 21, 30);
  expect(inOneHour(evening)).toEqual(new Date(2026, 0, 10, 22, 30));
  expect(nextMorning(evening)).toEqual(new Date(2026, 0, 11, 8));
  expect(nextMorning(new Date(2026, 0, 10, 3))).toEqual(new Date(2026, 0, 10, 8));
  expect(nextMorning(new Date(2026, 0, 10, 8))).toEqual(new Date(2026, 0, 11, 8));
});
