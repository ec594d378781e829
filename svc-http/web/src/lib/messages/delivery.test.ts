import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { DeliveryWatch } from './delivery.svelte';

let states: string[];
let asked: number;
let page: EventTarget & { visibilityState: DocumentVisibilityState };
let delivery: DeliveryWatch;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  states = ['stored'];
  asked = 0;
  const send = (async () => {
    asked += 1;
    const receipts = states.map((state, index) => ({ participant: `p${index}`, kind: 'human', state }));
    return Response.json({ message_id: 7, receipts, total: receipts.length });
  }) as typeof fetch;
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState });
  delivery = new DeliveryWatch(createApi({ fetch: send, origin: 'http://hub.test' }), 7);
  stop = delivery.watch(page as never);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

const wait = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

test('what is not yet read is asked for while it can be seen', async () => {
  await wait(60);
  expect(asked).toBe(0);
  delivery.setOnScreen(true);
  await wait(1);
  expect([asked, delivery.words]).toEqual([1, 'Sent']);
  states = ['offered'];
  await wait(10);
  expect([asked, delivery.words]).toEqual([2, 'Delivered']);
  delivery.setOnScreen(false);
  await wait(60);
  expect(asked).toBe(2);
});

test('what everybody has read is not asked for again until it changes', async () => {
  states = ['read', 'claimed'];
  delivery.setOnScreen(true);
  await wait(60);
  expect([asked, delivery.words]).toEqual([1, 'Read by 2 of 2']);
  states = ['read', 'done'];
  delivery.changed();
  await wait(60);
  expect(asked).toBe(2);
});

test('one who has not read it is waited for', async () => {
  states = ['read', 'stored'];
  delivery.setOnScreen(true);
  await wait(21);
  expect(asked).toBe(3);
});

test('a tab that nobody looks at asks nothing, and asks at once when somebody does', async () => {
  delivery.setOnScreen(true);
  await wait(1);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  await wait(60);
  expect(asked).toBe(1);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  await wait(1);
  expect(asked).toBe(2);
});

test('after the end nothing is asked', async () => {
  delivery.setOnScreen(true);
  await wait(1);
  stop();
  delivery.changed();
  await wait(60);
  expect(asked).toBe(1);
});
