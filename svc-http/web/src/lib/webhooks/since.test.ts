import { expect, test } from 'vitest';
import { sinceOf } from './since';

const now = Date.parse('2026-11-15T12:00:00.000Z');

test('hours count back from now', () => expect(sinceOf('24', '', now)).toBe('2026-11-14T12:00:00.000Z'));
test('a chosen time is local', () => {
  expect(sinceOf('time', '2026-11-10T08:30', now)).toBe(new Date(2026, 10, 10, 8, 30).toISOString());
});
test('a time that was not chosen is none', () => expect(sinceOf('time', '', now)).toBeUndefined());
