import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Clock } from './clock.svelte';
import { relativeTime } from './relative';

const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 1, 12) });
});
afterEach(() => {
  vi.useRealTimers();
});

test('on a machine whose clock is an hour behind, what was just said was just said', () => {
  const clock = new Clock();
  const said = new Date(Date.now() + HOUR);
  expect(relativeTime(said, clock.now)).toBe('in 1 hour');
  clock.skew = HOUR;
  expect(relativeTime(said, clock.now)).toBe('just now');
});

test('what is done at a moment is done at the time of the hub', () => {
  const clock = new Clock();
  clock.skew = -HOUR;
  expect(new Date(clock.read()).toISOString()).toBe('2026-03-01T11:00:00.000Z');
});
