import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Unreachable } from './problem';
import { Resource } from './resource.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an answer that was overtaken is not shown', async () => {
  const answers: ((value: string) => void)[] = [];
  const resource = new Resource<string>(() => new Promise((resolve) => answers.push(resolve)));
  const [first, second] = [resource.load(), resource.load()];
  answers[1]?.('new');
  await second;
  answers[0]?.('old');
  await first;
  expect(resource.value).toBe('new');
  expect(resource.loading).toBe(false);
});

test('what was there stays when the next try fails, with the reason', async () => {
  let fail = false;
  const resource = new Resource(async () => {
    if (fail) throw new Unreachable();
    return 'there';
  });
  await resource.load();
  fail = true;
  await resource.load();
  expect(resource.value).toBe('there');
  expect(resource.failure).toMatch(/is not responding/);
  fail = false;
  await resource.load();
  expect(resource.failure).toBeUndefined();
});

test('many calls within a moment are one question', async () => {
  const ask = vi.fn(async () => 1);
  const resource = new Resource(ask);
  for (let call = 0; call < 9; call += 1) {
    resource.loadSoon(1_000);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(ask).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ask).toHaveBeenCalledTimes(1);
});

test('after the end nothing is asked', async () => {
  const ask = vi.fn(async () => 1);
  const resource = new Resource(ask);
  resource.loadSoon();
  resource.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ask).not.toHaveBeenCalled();
});
