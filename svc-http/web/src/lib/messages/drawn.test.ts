import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Drawn } from './drawn.svelte';
import type { Side } from './portions';

let ids: { id: number }[] = [];
let at: number | undefined;
/** Every portion takes ten milliseconds. */
let looks = 0;
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
  drawn = new Drawn({ list: () => ids, beginsAt: () => at, now: () => 10 * ++looks });
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

test('what is missing is drawn task by task', async () => {
  vi.useRealTimers();
  at = 20;
  const wanted: Side[] = ['after', 'after', 'before'];
  const steps: unknown[] = [];
  const isFilled = await drawn.fill(() => {
    steps.push(shown());
    return wanted.shift();
  });
  expect(isFilled).toBe(true);
  expect(steps).toEqual([
    [121, 121],
    [121, 122],
    [121, 123],
    [120, 123],
  ]);
  expect(drawn.isSettled).toBe(true);
});

test('whoever leaves meanwhile sees nothing more drawn', async () => {
  vi.useRealTimers();
  const filling = drawn.fill(() => 'before');
  drawn.stop();
  expect(await filling).toBe(false);
});
