import { expect, test } from 'vitest';
import { inputOf, laterChoices, momentIn } from './times';

test('the choices are in an hour, tomorrow and on Monday', () => {
  // A Wednesday.
  const choices = laterChoices(new Date(2026, 0, 7, 14, 30));
  expect(choices.map(({ title, at }) => [title, inputOf(at)])).toEqual([
    ['In 1 hour', '2026-01-07T15:30'],
    ['Tomorrow at 9:00', '2026-01-08T09:00'],
    ['Monday at 9:00', '2026-01-12T09:00'],
  ]);
});

test('Monday is offered once', () => {
  const sunday = laterChoices(new Date(2026, 0, 11, 23, 50));
  expect(sunday.map(({ title }) => title)).toEqual(['In 1 hour', 'Tomorrow at 9:00']);
  const monday = laterChoices(new Date(2026, 0, 12, 8, 0));
  expect(inputOf(monday[2]?.at ?? new Date(0))).toBe('2026-01-19T09:00');
});

test('a time survives the way through an input', () => {
  const moment = new Date(2026, 11, 31, 23, 59);
  expect(momentIn(inputOf(moment))).toEqual(moment);
  expect(momentIn('')).toBeUndefined();
  expect(momentIn('2026-01-01')).toBeUndefined();
});
