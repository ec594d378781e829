import type { Snippet } from 'svelte';
import { expect, test } from 'vitest';
import { Bar } from './bar.svelte';

const first = (() => undefined) as unknown as Snippet;
const second = (() => undefined) as unknown as Snippet;

test('what a page shows goes with it', () => {
  const bar = new Bar();
  const stop = bar.show(first);
  expect(bar.content).toBe(first);
  stop();
  expect(bar.content).toBeUndefined();
});

test('a page that goes after the next has come takes nothing of it along', () => {
  const bar = new Bar();
  const stop = bar.show(first);
  bar.show(second);
  stop();
  expect(bar.content).toBe(second);
});
