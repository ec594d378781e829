import { beforeEach, expect, test, vi } from 'vitest';
import { createApi, type Message } from '../api/client';
import type { LiveName } from '../live/events';
import { message } from './sample';
import { Thread } from './thread.svelte';

const listeners = new Map<string, (event: never) => void>();
const live = {
  on: (name: LiveName, listener: (event: never) => void) => {
    listeners.set(name, listener);
    return () => listeners.delete(name);
  },
};
const tell = (name: LiveName, event: object) => listeners.get(name)?.(event as never);

let replies: Message[];
let asked: number;
let isLost: boolean;
let thread: Thread;

beforeEach(async () => {
  asked = 0;
  isLost = false;
  replies = Array.from({ length: 230 }, (_, index) => message(index + 2, { reply_to: 1 }));
  const send = (async (request: Request) => {
    asked += 1;
    if (isLost) throw new TypeError('lost');
    const offset = Number(new URL(request.url).searchParams.get('offset'));
    return Response.json({
      root: message(1),
      replies: replies.slice(offset, offset + 200),
      total: replies.length,
    });
  }) as typeof fetch;
  thread = new Thread(createApi({ fetch: send, origin: 'http://hub.test' }), live as never, 1);
  const stop = thread.start();
  await vi.waitFor(() => expect(thread.replies).toBeDefined());
  return stop;
});

test('a long thread is complete', () => {
  expect(thread.root?.id).toBe(1);
  expect(thread.replies).toHaveLength(230);
});

test('a new answer appears; what is said elsewhere asks nothing', async () => {
  const before = asked;
  tell('new_message', { conversation_id: 99 });
  tell('reaction_changed', { message_id: 9_999 });
  expect(asked).toBe(before);
  replies.push(message(500, { reply_to: 1 }));
  tell('new_message', { conversation_id: 1 });
  await vi.waitFor(() => expect(thread.replies?.at(-1)?.id).toBe(500));
});

test('the count is that of the message itself, wherever its answers stand', async () => {
  expect(thread.replyCount).toBe(230);
  replies = [
    message(2, { reply_to: 1 }),
    message(3, { reply_to: 1, channel: 'other', conversation_id: 7 }),
    message(4, { reply_to: 3, channel: 'other', conversation_id: 7 }),
  ];
  await thread.load();
  expect([thread.replyCount, thread.replies?.length]).toEqual([2, 3]);
});

test('an answer that stands elsewhere is followed there', async () => {
  replies = [message(3, { reply_to: 1, channel: 'other', conversation_id: 7 })];
  await thread.load();
  replies.push(message(4, { reply_to: 1, channel: 'other', conversation_id: 7 }));
  tell('new_message', { conversation_id: 7 });
  await vi.waitFor(() => expect(thread.replyCount).toBe(2));
});

test('a failure is told, and what was there stays', async () => {
  isLost = true;
  await thread.load();
  expect(thread.failure).toMatch(/is not responding/);
  expect(thread.replies).toHaveLength(230);
  isLost = false;
  await thread.load();
  expect(thread.failure).toBeUndefined();
});
