import { beforeEach, expect, test, vi } from 'vitest';
import { createApi, type Message } from '../api/client';
import type { LiveName } from '../live/events';
import { message } from './sample';
import type { MessageSource, Wanted } from './source';
import { LARGEST_WINDOW, Timeline } from './timeline.svelte';

/** A conversation on a server, of any length. */
class StandInConversation implements MessageSource {
  messages: Message[] = [];
  asked: Wanted[] = [];
  failure: unknown;

  say(count: number, more: Partial<Message> = {}) {
    for (let index = 0; index < count; index += 1) {
      this.messages.push(message(this.messages.length + 1, more));
    }
  }

  async load(wanted: Wanted) {
    this.asked.push(wanted);
    if (this.failure) throw this.failure;
    const { before, after, around, limit } = wanted;
    let from = this.messages.length - limit;
    if (before !== undefined) from = before - 1 - limit;
    if (after !== undefined) from = after;
    if (around !== undefined) from = around - Math.floor(limit / 2);
    const to = before === undefined ? from + limit : before - 1;
    const messages = this.messages.slice(Math.max(0, from), Math.max(0, to));
    return {
      messages,
      has_more_before: (messages[0]?.id ?? 1) > 1,
      has_more_after: (messages.at(-1)?.id ?? Infinity) < this.messages.length,
      last_read_message_id: 10,
    };
  }
}

class StandInLive {
  readonly #listeners = new Map<string, (event: never) => void>();
  on = (name: LiveName, listener: (event: never) => void) => {
    this.#listeners.set(name, listener);
    return () => this.#listeners.delete(name);
  };
  tell(name: LiveName, event: object) {
    this.#listeners.get(name)?.(event as never);
  }
}

let conversation: StandInConversation;
let live: StandInLive;
let timeline: Timeline;
const heard = vi.fn();
const settle = () =>
  vi
    .waitFor(() => expect(timeline.loading).toBeUndefined())
    .then(() => new Promise((done) => setTimeout(done, 5)));
const ids = () => [timeline.messages[0]?.id, timeline.messages.at(-1)?.id];

beforeEach(() => {
  heard.mockClear();
  conversation = new StandInConversation();
  live = new StandInLive();
  const send = (async (request: Request) => {
    const id = Number(new URL(request.url).pathname.split('/').pop());
    return Response.json(conversation.messages[id - 1]);
  }) as typeof fetch;
  timeline = new Timeline({
    api: createApi({ fetch: send, origin: 'http://hub.test' }),
    live: live as never,
    source: conversation,
    place: { kind: 'channel', name: 'general' },
    me: () => 'ada',
    heard,
  });
  return timeline.start();
});

test('opens at the newest and remembers what had been read', async () => {
  conversation.say(100_000);
  await timeline.open();
  expect(ids()).toEqual([99_951, 100_000]);
  expect(timeline).toMatchObject({ hasMoreBefore: true, hasMoreAfter: false, readUpTo: 10 });
});

test('opens around a message', async () => {
  conversation.say(1_000);
  await timeline.open(500);
  expect(timeline.messages.some(({ id }) => id === 500)).toBe(true);
  expect(timeline).toMatchObject({ hasMoreBefore: true, hasMoreAfter: true });
});

test('however far one goes, the window stays small and without gaps', async () => {
  conversation.say(2_000);
  await timeline.open();
  for (let page = 0; page < 20; page += 1) await timeline.loadBefore();
  expect(timeline.messages.length).toBe(LARGEST_WINDOW);
  expect(timeline.hasMoreAfter).toBe(true);
  for (let page = 0; page < 5; page += 1) await timeline.loadAfter();
  expect(timeline.messages.length).toBe(LARGEST_WINDOW);
  const all = timeline.messages.map(({ id }) => id);
  expect(all).toEqual(Array.from({ length: LARGEST_WINDOW }, (_, index) => (all[0] ?? 0) + index));
});

test('the ends are ends', async () => {
  conversation.say(60);
  await timeline.open();
  await timeline.loadBefore();
  expect(ids()).toEqual([1, 60]);
  const asked = conversation.asked.length;
  await timeline.loadBefore();
  await timeline.loadAfter();
  expect(conversation.asked.length).toBe(asked);
});

test('what is said here appears, what is said elsewhere does not', async () => {
  conversation.say(3);
  await timeline.open();
  conversation.say(1, { from: 'eve' });
  live.tell('new_message', { channel: 'ops', from: 'eve', to: null });
  await settle();
  expect(ids()).toEqual([1, 3]);
  live.tell('new_message', { channel: 'general', from: 'eve', to: null });
  await settle();
  expect(ids()).toEqual([1, 4]);
  expect(heard.mock.calls[0]?.[0]).toMatchObject([{ id: 4 }]);
});

test('a burst is fetched in a few rounds and complete', async () => {
  conversation.say(1);
  await timeline.open();
  for (let index = 0; index < 100; index += 1) {
    conversation.say(1, { from: 'eve' });
    live.tell('new_message', { channel: 'general', from: 'eve', to: null });
  }
  await settle();
  expect(ids()).toEqual([1, 101]);
  expect(conversation.asked.length).toBeLessThan(6);
});

test('what is said while the window is elsewhere is counted, not shown', async () => {
  conversation.say(1_000);
  await timeline.open(100);
  conversation.say(1);
  live.tell('new_message', { channel: 'general', from: 'eve', to: null });
  await settle();
  expect(timeline.missed).toBe(1);
  expect(timeline.messages.at(-1)?.id).toBeLessThan(1_000);
  await timeline.open();
  expect(timeline.missed).toBe(0);
});

test('what is said while the first page is on its way is not lost', async () => {
  conversation.say(3);
  const opening = timeline.open();
  conversation.say(1, { from: 'eve' });
  live.tell('new_message', { channel: 'general', from: 'eve', to: null });
  await opening;
  await settle();
  expect(ids()).toEqual([1, 4]);
});

test('a message just sent is there once, also when the stream tells of it', async () => {
  conversation.say(2);
  await timeline.open();
  conversation.say(1);
  timeline.put(message(3));
  live.tell('new_message', { channel: 'general', from: 'ada', to: null });
  await settle();
  expect(timeline.messages.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(heard).not.toHaveBeenCalled();
});

test('changes of a message in the window show', async () => {
  conversation.say(3);
  await timeline.open();
  conversation.messages[1] = message(2, { workflow_state: 'approved' });
  live.tell('reaction_changed', { message_id: 2 });
  live.tell('workflow_state_changed', { message_id: 2 });
  await settle();
  expect(timeline.messages[1]?.workflow_state).toBe('approved');
});

test('an answer changes the count at its parent', async () => {
  conversation.say(3);
  await timeline.open();
  conversation.messages[0] = message(1, { reply_count: 1 });
  conversation.say(1, { reply_to: 1, from: 'eve' });
  live.tell('new_message', { channel: 'general', from: 'eve', to: null });
  await settle();
  expect(timeline.messages[0]?.reply_count).toBe(1);
});

test('after a gap in the stream the window is loaded anew where it is', async () => {
  conversation.say(1_000);
  await timeline.open(500);
  live.tell('reset', { reason: 'expired' });
  await settle();
  expect(timeline.messages.some(({ id }) => id === 500)).toBe(true);
  expect(conversation.asked.at(-1)).toHaveProperty('around');
});

test('a failure is told and can be tried again', async () => {
  conversation.say(3);
  conversation.failure = new Error('no');
  await timeline.open();
  expect(timeline.failure).toBeDefined();
  conversation.failure = undefined;
  await timeline.open();
  expect(timeline.failure).toBeUndefined();
  expect(timeline.messages).toHaveLength(3);
});

test('what could not be fetched is fetched when the stream is back', async () => {
  conversation.say(1);
  await timeline.open();
  conversation.say(1, { from: 'eve' });
  conversation.failure = new Error('lost');
  live.tell('new_message', { channel: 'general', from: 'eve', to: null });
  await settle();
  expect(ids()).toEqual([1, 1]);
  conversation.failure = undefined;
  live.tell('hello', {});
  await settle();
  expect(ids()).toEqual([1, 2]);
});
