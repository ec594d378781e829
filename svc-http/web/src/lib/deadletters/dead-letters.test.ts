import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import type { LiveName } from '../live/events';
import { addressOf, DeadLetters, readQuestion, type DeadLetter } from './dead-letters.svelte';

const letter = (id: number, more: object = {}) =>
  ({ id, kind: 'message', participant: 'bot', reason: 'gone', attempts: 1, ...more }) as DeadLetter;

let asked: string[];
let all: DeadLetter[];
let refuse: boolean;
let letters: DeadLetters;
let stop: () => void;
const listeners = new Map<string, () => void>();
const live = {
  on: (name: LiveName, listener: () => void) => {
    listeners.set(name, listener);
    return () => listeners.delete(name);
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  all = [letter(1), letter(2)];
  refuse = false;
  const send = (async (request: Request) => {
    const { pathname, search, searchParams } = new URL(request.url);
    asked.push(`${request.method} ${pathname}${search}`);
    if (request.method === 'GET') {
      const open = searchParams.get('acknowledged') === 'false';
      const dead_letters = all.filter(({ acknowledged_at }) => !open || !acknowledged_at);
      return Response.json({ dead_letters, total: dead_letters.length });
    }
    if (refuse) return Response.json({ detail: 'Its agent was deleted.' }, { status: 409 });
    const id = Number(pathname.split('/')[3]);
    const field = pathname.endsWith('retry') ? 'retried_at' : 'acknowledged_at';
    all = all.map((one) => (one.id === id ? { ...one, [field]: '2026-03-01T12:00:00Z' } : one));
    return Response.json(all.find((one) => one.id === id));
  }) as typeof fetch;
  letters = new DeadLetters(createApi({ fetch: send, origin: 'http://hub.test' }), live as never);
  stop = letters.watch();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

const shown = () => letters.list.value?.dead_letters.map(({ id }) => id);

test('acknowledged letters leave the open ones and stay among all', async () => {
  letters.show({ view: 'open', kind: undefined, page: 1 });
  await vi.advanceTimersByTimeAsync(1);
  expect(await letters.acknowledge(letter(1))).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(shown()).toEqual([2]);
  letters.show({ view: 'all', kind: undefined, page: 1 });
  await vi.advanceTimersByTimeAsync(1);
  expect(shown()).toEqual([1, 2]);
});

test('what was tried again says so', async () => {
  letters.show({ view: 'open', kind: 'message', page: 2 });
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['GET /api/dead-letters?limit=50&offset=50&acknowledged=false&kind=message']);
  await letters.retry(letter(2));
  expect(letters.list.value?.dead_letters[1]?.retried_at).toBeDefined();
});

test('a refusal stays with its letter until the next try', async () => {
  letters.show({ view: 'open', kind: undefined, page: 1 });
  await vi.advanceTimersByTimeAsync(1);
  refuse = true;
  expect(await letters.retry(letter(1))).toBe(false);
  expect(letters.refusals.get(1)).toBe('Its agent was deleted.');
  refuse = false;
  await letters.retry(letter(1));
  expect(letters.refusals.size).toBe(0);
});

test('two presses are one request', async () => {
  await Promise.all([letters.retry(letter(1)), letters.retry(letter(1))]);
  expect(asked.filter((request) => request.startsWith('POST'))).toHaveLength(1);
});

test('a message that failed meanwhile appears', async () => {
  letters.show({ view: 'open', kind: undefined, page: 1 });
  await vi.advanceTimersByTimeAsync(1);
  all = [...all, letter(3)];
  listeners.get('message_updated')?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toEqual([1, 2, 3]);
});

test('addresses say what to show', () => {
  expect(readQuestion(new URLSearchParams('view=all&kind=webhook&page=2'))).toEqual({
    view: 'all',
    kind: 'webhook',
    page: 2,
  });
  expect(readQuestion(new URLSearchParams('view=x&kind=y&page=z'))).toEqual({
    view: 'open',
    kind: undefined,
    page: 1,
  });
});

test('the lists keep the kind that was chosen', () => {
  expect(addressOf({ view: 'open', kind: undefined })).toBe('/dead-letters');
  expect(addressOf({ view: 'open', kind: 'webhook' })).toBe('/dead-letters?kind=webhook');
  expect(addressOf({ view: 'all', kind: 'webhook' })).toBe('/dead-letters?view=all&kind=webhook');
});
