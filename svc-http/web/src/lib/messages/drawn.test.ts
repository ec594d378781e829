import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Drawn } from './drawn.svelte';

let ids: { id: number }[] = [];
let at: number | undefined;
let drawn: Drawn;

const fill = (first: number, last: number) => {
  ids = Array.from({ length: last - first + 1 }, (_, index) => ({ id: first + index }));
};
const shown = () => {
  const { from, to } = drawn.span;
  return [ids[from]?.id, ids[to - 1]?.id];
};

beforeEach(() => {
  vi.useFakeTimers();
  at = undefined;
  fill(101, 150);
  drawn = new Drawn({ list: () => ids, beginsAt: () => at });
});
afterEach(() => vi.useRealTimers());

test('more is drawn in a task of its own, and once however often it is asked for', () => {
  drawn.settle();
  const [first] = shown();
  drawn.more('before');
  drawn.more('before');
  expect(shown()).toEqual([first, 150]);
  vi.runAllTimers();
  expect(shown()[0]).toBeLessThan(first ?? 0);
  expect(shown()[0]).toBeGreaterThan((first ?? 0) - 5);
});

test('what came above waits, what was said below is there at once', () => {
  drawn.settle();
  const [first] = shown();
  fill(51, 153);
  drawn.more('before');
  vi.runAllTimers();
  expect(shown()[0]).toBeGreaterThan(100);
  expect(shown()[0]).toBeLessThan(first ?? 0);
  expect(shown()[1]).toBe(153);
});

test('a view that begins in the middle has not reached the end', () => {
  at = 10;
  expect(drawn.isToEnd).toBe(false);
  expect(drawn.isFromBeginning).toBe(false);
});

test('everything can be asked for', async () => {
  drawn.settle();
  await drawn.all();
  expect(shown()).toEqual([101, 150]);
  expect(drawn.isToEnd && drawn.isFromBeginning).toBe(true);
});

test('nothing is drawn after the end', () => {
  drawn.settle();
  const before = shown();
  drawn.more('before');
  drawn.stop();
  vi.runAllTimers();
  expect(shown()).toEqual(before);
});
