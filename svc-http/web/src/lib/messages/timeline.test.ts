import { beforeEach, expect, test, vi } from 'vitest';
import { createApi, type Message } from '../api/client';
import { Problem, Unreachable } from '../api/problem';
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
      ...(cursor === null ? {} : { last_read_message_id: cursor }),
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
let kept: { messages: Message[]; hasMoreBefore: boolean; keptAt: number } | undefined;
let isReader: () => Promise<boolean>;
let isLetIn: boolean;
let cursor: number | null;
const heard = vi.fn();
const settle = () =>
  vi
    .waitFor(() => expect(timeline.loading).toBeUndefined())
    .then(() => new Promise((done) => setTimeout(done, 5)));
const ids = () => [timeline.messages[0]?.id, timeline.messages.at(-1)?.id];

beforeEach(() => {
  heard.mockClear();
  kept = undefined;
  isReader = async () => true;
  isLetIn = true;
  cursor = 10;
  conversation = new StandInConversation();
  live = new StandInLive();
  const send = (async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/channels/general')
      return Response.json(isLetIn ? { name: 'general' } : {}, { status: isLetIn ? 200 : 404 });
    const id = Number(pathname.split('/').pop());
    return Response.json(conversation.messages[id - 1]);
  }) as typeof fetch;
  timeline = new Timeline({
    api: createApi({ fetch: send, origin: 'http://hub.test' }),
    live: live as never,
    source: conversation,
    place: { kind: 'channel', name: 'general' },
    me: () => 'ada',
    isReader: () => isReader(),
    kept: async () => kept,
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

test('says when the message that was asked for is not here', async () => {
  conversation.say(100);
  await timeline.open(999);
  expect(timeline.notFound).toBe(999);
  // Whatever else is shown, the link that led here still leads nowhere.
  await timeline.open();
  expect(timeline.notFound).toBe(999);
  await timeline.open(40);
  expect(timeline.notFound).toBeUndefined();
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

test('without a connection what was kept is shown, and what is there now as soon as the hub greets', async () => {
  conversation.say(3);
  kept = { messages: conversation.messages.slice(0, 2), hasMoreBefore: true, keptAt: 1_000 };
  conversation.failure = new Unreachable();
  await timeline.open();
  expect(ids()).toEqual([1, 2]);
  expect(timeline.keptAt).toEqual(new Date(1_000));
  expect(timeline.failure).toBeUndefined();
  // Nothing is asked for that cannot be had.
  const before = conversation.asked.length;
  await timeline.loadBefore();
  expect(conversation.asked).toHaveLength(before);
  conversation.failure = undefined;
  live.tell('hello', {});
  await settle();
  expect(ids()).toEqual([1, 3]);
  expect(timeline.keptAt).toBeUndefined();
});

test('what was kept appears in one step with the end of the loading', async () => {
  kept = { messages: [message(1)], hasMoreBefore: false, keptAt: 1_000 };
  conversation.failure = new Unreachable();
  const opening = timeline.open();
  while (timeline.messages.length === 0) await Promise.resolve();
  expect(timeline.loading).toBeUndefined();
  await opening;
});

test('a refusal is no reason to show what was kept', async () => {
  kept = { messages: [message(1)], hasMoreBefore: false, keptAt: 1_000 };
  conversation.failure = new Problem({ status: 404 });
  await timeline.open();
  expect(timeline.messages).toEqual([]);
  expect(timeline.isMissing).toBe(true);
});

test('without a connection and without anything kept, that is said', async () => {
  conversation.failure = new Unreachable();
  await timeline.open();
  expect(timeline.failure).toMatch(/is not responding/);
});

test('in a conversation that was never read, all is new, and nothing is shown before that is known', async () => {
  conversation.say(30);
  cursor = null;
  let tell = (_: boolean) => undefined as void;
  isReader = () => new Promise((resolve) => (tell = resolve));
  const opening = timeline.open();
  await vi.waitFor(() => expect(conversation.asked).toHaveLength(1));
  await new Promise((done) => setTimeout(done, 5));
  expect(timeline).toMatchObject({ loading: 'window', messages: [] });
  tell(true);
  await opening;
  expect(timeline.readUpTo).toBe(0);
});

test('for somebody who only looks in, nothing of what is there is new', async () => {
  conversation.say(30);
  cursor = null;
  isReader = async () => false;
  await timeline.open();
  expect(timeline.readUpTo).toBe(30);
});

test('what was kept does not decide what is new', async () => {
  conversation.say(30);
  kept = { messages: conversation.messages.slice(0, 20), hasMoreBefore: false, keptAt: 1_000 };
  conversation.failure = new Unreachable();
  await timeline.open();
  conversation.failure = undefined;
  live.tell('hello', {});
  await settle();
  expect(timeline.readUpTo).toBe(10);
});

test('whoever is put out of a channel sees nothing of it, and all of it when let in again', async () => {
  conversation.say(3);
  await timeline.open();
  live.tell('channel_changed', { channel: 'general', action: 'member_added' });
  await settle();
  expect(timeline).toMatchObject({ isMissing: false, messages: { length: 3 } });
  isLetIn = false;
  live.tell('channel_changed', { channel: 'ops', action: 'member_removed' });
  await settle();
  expect(timeline.isMissing).toBe(false);
  live.tell('channel_changed', { channel: 'general', action: 'member_removed' });
  await vi.waitFor(() => expect(timeline.isMissing).toBe(true));
  expect(timeline.messages).toEqual([]);
  isLetIn = true;
  live.tell('channel_changed', { channel: 'general', action: 'member_added' });
  await vi.waitFor(() => expect(timeline.isMissing).toBe(false));
  expect(ids()).toEqual([1, 3]);
});

test('an answer that is on its way does not bring back what one may not see', async () => {
  conversation.say(3);
  await timeline.open();
  const load = conversation.load.bind(conversation);
  let arrive: (() => void) | undefined;
  conversation.load = async (wanted) => {
    const page = await load(wanted);
    await new Promise<void>((done) => (arrive = done));
    return page;
  };
  live.tell('new_message', { channel: 'general', from: 'eve', to: null });
  await vi.waitFor(() => expect(arrive).toBeDefined());
  isLetIn = false;
  live.tell('channel_changed', { channel: 'general', action: 'member_removed' });
  await vi.waitFor(() => expect(timeline.isMissing).toBe(true));
  arrive?.();
  await settle();
  expect(timeline.messages).toEqual([]);
});

test('what was said while the window was opened anew is not lost', async () => {
  conversation.say(3);
  await timeline.open();
  const load = conversation.load.bind(conversation);
  let slow: (() => void) | undefined;
  conversation.load = async (wanted) => {
    const page = await load(wanted);
    if (wanted.after !== undefined && slow === undefined) await new Promise<void>((done) => (slow = done));
    return page;
  };
  conversation.say(1);
  live.tell('new_message', { channel: 'general', from: 'eve', to: null });
  await vi.waitFor(() => expect(slow).toBeDefined());
  await timeline.open();
  conversation.say(1);
  live.tell('new_message', { channel: 'general', from: 'eve', to: null });
  slow?.();
  await vi.waitFor(() => expect(ids()).toEqual([1, 5]));
});

test('of two questions about a message the answer to the later one counts', async () => {
  conversation.say(3);
  await timeline.open();
  const answers: ((message: Message) => void)[] = [];
  const send = (() =>
    new Promise((resolve) => answers.push((one) => resolve(Response.json(one))))) as unknown as typeof fetch;
  const asking = new Timeline({
    api: createApi({ fetch: send, origin: 'http://hub.test' }),
    live: live as never,
    source: conversation,
    place: { kind: 'channel', name: 'general' },
    me: () => 'ada',
  });
  await asking.open();
  void asking.refresh(2);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  void asking.refresh(2);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.(message(2, { body: 'newer' }));
  answers[0]?.(message(2, { body: 'older' }));
  await settle();
  expect(asking.messages[1]?.body).toBe('newer');
});

test('of two answers about a message the only one that comes is taken', async () => {
  conversation.say(3);
  await timeline.open();
  const answers: ((response: Response) => void)[] = [];
  const send = (() => new Promise((resolve) => answers.push(resolve))) as unknown as typeof fetch;
  const asking = new Timeline({
    api: createApi({ fetch: send, origin: 'http://hub.test' }),
    live: live as never,
    source: conversation,
    place: { kind: 'channel', name: 'general' },
    me: () => 'ada',
  });
  await asking.open();
  void asking.refresh(2);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  void asking.refresh(2);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.(new Response('', { status: 502 }));
  answers[0]?.(Response.json(message(2, { body: 'changed' })));
  await vi.waitFor(() => expect(asking.messages[1]?.body).toBe('changed'));
});

test('my reaction brings back nothing old, and what others did meanwhile shows', async () => {
  conversation.say(3);
  await timeline.open();
  const before = timeline.messages[1];
  // While the reaction was on its way an answer came, and then somebody else reacted.
  conversation.messages[1] = message(2, { reply_count: 1 });
  await timeline.refresh(2);
  conversation.messages[1] = message(2, { reply_count: 1, workflow_state: 'approved' });
  timeline.reacted({ ...before, id: 2, reactions: [], emoji: [], workflow_state: 'proposed' });
  expect(timeline.messages[1]).toMatchObject({ reply_count: 1, workflow_state: 'proposed' });
  await vi.waitFor(() => expect(timeline.messages[1]?.workflow_state).toBe('approved'));
});

test('where nothing could be loaded, what is said opens the newest page, not the first of all', async () => {
  conversation.say(1_000);
  conversation.failure = new Error('no');
  await timeline.open();
  conversation.failure = undefined;
  live.tell('new_message', { channel: 'general', from: 'eve', to: null });
  await settle();
  expect(ids()).toEqual([951, 1_000]);
  expect(conversation.asked).toHaveLength(2);
});

test('an edit and a deletion show, and the copy of a deleted mention goes', async () => {
  conversation.say(3);
  await timeline.open();
  conversation.messages[1] = message(2, { body: 'better', version: 2 });
  live.tell('message_edited', { message_id: 2 });
  await vi.waitFor(() => expect(timeline.messages[1]?.body).toBe('better'));
  conversation.messages[1] = message(2, { body: '', deleted_at: '2026-03-01T12:00:00Z', deleted_by: 'ada' });
  live.tell('message_deleted', { message_id: 2 });
  await vi.waitFor(() => expect(timeline.messages[1]?.deleted_by).toBe('ada'));
  timeline.put(message(3, { metadata: { mention: { channel: 'ops', message_id: 9 } } }));
  live.tell('message_deleted', { message_id: 3 });
  expect(timeline.messages.map(({ id }) => id)).toEqual([1, 2]);
});

test('what I have edited shows at once', async () => {
  conversation.say(2);
  await timeline.open();
  timeline.changed(message(2, { body: 'mine', version: 2 }));
  expect(timeline.messages[1]?.body).toBe('mine');
});
