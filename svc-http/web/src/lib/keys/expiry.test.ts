import { expect, test } from 'vitest';
import { expiryOf } from './expiry';

const now = Date.parse('2026-11-15T12:00:00.000Z');

test('days count from now', () => expect(expiryOf('30', '', now)).toBe('2026-12-15T12:00:00.000Z'));
test('never is no end', () => expect(expiryOf('never', '2026-12-01', now)).toBeUndefined());
test('a chosen day is the last whole one', () => {
  expect(expiryOf('day', '2026-12-31', now)).toBe(new Date(2027, 0, 1).toISOString());
});
test('a day that was not chosen is none', () => expect(expiryOf('day', '', now)).toBeUndefined());
