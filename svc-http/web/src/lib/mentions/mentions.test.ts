import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import type { LiveName } from '../live/events';
import { addressOfView, mentionAddress, Mentions, viewOf } from './mentions.svelte';

const listeners = new Map<string, (event: never) => void>();
const live = {
  on: (name: LiveName, listener: (event: never) => void) => {
    listeners.set(name, listener);
    return () => listeners.delete(name);
  },
};
const tell = (name: LiveName, event: object = {}) => listeners.get(name)?.(event as never);

let asked: string[];
let mentions: Mentions;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  const send = (async (request: Request) => {
    asked.push(new URL(request.url).search);
    return Response.json({ mentions: [{ message_id: 7, channel: 'a b', text: '@ada' }], has_more: true });
  }) as typeof fetch;
  mentions = new Mentions(createApi({ fetch: send, origin: 'http://hub.test' }), live as never);
  stop = mentions.watch();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('all or the unread ones are asked for, and once more for the rest', async () => {
  mentions.show('all');
  await vi.advanceTimersByTimeAsync(1);
  expect(mentions.list.value?.mentions).toHaveLength(1);
  expect(mentions.hasMore).toBe(true);
  await mentions.more();
  expect(mentions.hasMore).toBe(false);
  mentions.show('unread');
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['?limit=50', '?limit=200', '?limit=50&unread=true']);
});

test('they follow what mentions me and what I read, and nothing else', async () => {
  tell('new_message', { mentions_me: false });
  tell('unread_update', { kind: 'dm' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual([]);
  tell('new_message', { mentions_me: true });
  tell('unread_update', { kind: 'channel' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual(['?limit=50']);
});

test('views and mentions have addresses', () => {
  for (const view of ['all', 'unread'] as const) {
    expect(viewOf(new URL(addressOfView(view), 'http://hub.test').searchParams)).toBe(view);
  }
  expect(mentionAddress({ channel: 'a b', message_id: 7 })).toBe('/c/a%20b?m=7');
});
