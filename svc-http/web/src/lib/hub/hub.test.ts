import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import type { LiveName } from '../live/events';
import { Hub } from './hub.svelte';

/** A stream without a wire. */
class StandInLive {
  readonly #listeners = new Map<string, (event: never) => void>();

  on = (name: LiveName, listener: (event: never) => void) => {
    this.#listeners.set(name, listener);
    return () => this.#listeners.delete(name);
  };

  tell(name: LiveName, event: object = {}) {
    this.#listeners.get(name)?.(event as never);
  }
}

const channel = (name: string, more: object = {}) => ({
  id: name.length,
  name,
  is_member: true,
  unread: 0,
  mentions: 0,
  ...more,
});
const partner = (name: string, unread = 0) => ({
  name,
  display_name: name,
  kind: 'agent',
  unread,
  preview: '',
});

let answers: Record<string, () => unknown>;
let asked: string[];
let live: StandInLive;
let hub: Hub;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  answers = {
    '/auth/me': () => ({ username: 'ada', display_name: 'Ada' }),
    '/api/channels': () => ({ channels: [channel('ops', { unread: 2 }), channel('general')], total: 2 }),
    '/api/dm/partners': () => [partner('bot', 1), partner('eve')],
    '/api/agents': () => ({ agents: [], total: 0 }),
  };
  const send = (async (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    const respond = answers[pathname];
    return respond ? Response.json(await respond()) : Response.json({ code: 'not_found' }, { status: 404 });
  }) as typeof fetch;
  live = new StandInLive();
  hub = new Hub(createApi({ fetch: send, origin: 'http://hub.test' }), live as never);
  stop = hub.start();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

async function greeted() {
  live.tell('hello');
  await vi.advanceTimersByTimeAsync(1);
  asked.length = 0;
}

test('lists are loaded at the first greeting; at the next, what is unread is asked for', async () => {
  live.tell('hello');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(hub.me?.username).toBe('ada');
  expect(hub.channels?.map(({ name }) => name)).toEqual(['general', 'ops']);
  asked.length = 0;
  answers['/api/dm/partners'] = () => [partner('bot', 7), partner('eve')];
  live.tell('hello');
  await vi.advanceTimersByTimeAsync(1_000);
  // How much is unread is told once, without a place in the log: the end of a stream may have lost it.
  expect(hub.partner('bot')?.unread).toBe(7);
  expect(asked.sort()).toEqual(['/api/channels', '/api/dm/partners', '/api/notifications/settings']);
});

test('without a stream the lists come all the same', async () => {
  await vi.advanceTimersByTimeAsync(2_600);
  expect(hub.channels).toHaveLength(2);
});

test('a reset loads again and tells the pages', async () => {
  await greeted();
  answers['/api/agents'] = () => ({ agents: [{ name: 'bot' }], total: 1 });
  live.tell('reset', { reason: 'expired' });
  await vi.advanceTimersByTimeAsync(1);
  expect(hub.agent('bot')).toBeDefined();
  expect(hub.resets).toBe(1);
});

test('unread counts follow the stream', async () => {
  await greeted();
  expect(hub.waitingForMe).toBe(1);
  live.tell('unread_update', { kind: 'channel', name: 'general', unread: 3, mentions: 2 });
  live.tell('unread_update', { kind: 'dm', name: 'bot', unread: 0, mentions: 0 });
  expect(hub.channel('general')).toMatchObject({ unread: 3, mentions: 2 });
  expect(hub.waitingForMe).toBe(2);
});

test('a mention counts in its channel, also where I am no member, and is no direct message', async () => {
  answers['/api/channels'] = () => ({
    channels: [
      channel('ops', { unread: 2, mentions: 1 }),
      channel('lobby', { is_member: false, mentions: 2 }),
    ],
    total: 2,
  });
  answers['/api/dm/partners'] = () => [partner('bot', 1), partner('eve', 2)];
  await greeted();
  expect([hub.mentionsForMe, hub.waitingForMe]).toEqual([3, 6]);
  live.tell('new_message', {
    channel: null,
    from: 'bot',
    to: 'ada',
    message_id: 9,
    mention_of: 8,
    preview: '@ada',
  });
  expect(hub.partner('bot')?.preview).toBe('');
  live.tell('unread_update', { kind: 'channel', name: 'lobby', unread: 0, mentions: 0 });
  expect([hub.mentionsForMe, hub.waitingForMe]).toEqual([1, 4]);
  expect(hub.countedChannels.map(({ name }) => name)).toEqual(['ops']);
});

test('what a partner wrote last is known while it is unread, whoever wrote since', async () => {
  await greeted();
  const said = { channel: null, created_at: '2026-03-01T12:00:00Z' };
  live.tell('new_message', { ...said, from: 'bot', to: 'ada', message_id: 9, preview: 'Shall I?' });
  live.tell('new_message', { ...said, from: 'ada', to: 'bot', message_id: 10, preview: 'Wait' });
  expect(hub.partner('bot')).toMatchObject({ preview: 'Wait', last_unread: { id: 9, preview: 'Shall I?' } });
  live.tell('unread_update', { kind: 'dm', name: 'bot', unread: 0, mentions: 0 });
  expect(hub.partner('bot')?.last_unread).toBeNull();
});

const levels = (...conversations: { kind: string; name: string; level: string }[]) => ({
  kinds: {},
  quiet_hours: null,
  conversations,
});

test('what is muted counts nothing', async () => {
  answers['/api/channels'] = () => ({
    channels: [channel('ops', { unread: 2, mentions: 1 }), channel('general', { unread: 1, mentions: 1 })],
    total: 2,
  });
  answers['/api/dm/partners'] = () => [partner('bot', 2), partner('eve', 4)];
  await greeted();
  expect(hub.waitingForMe).toBe(8);
  expect(hub.unreadIn('dm', hub.partner('bot') as never)).toBe(2);

  answers['/api/notifications/settings'] = () =>
    levels({ kind: 'channel', name: 'ops', level: 'nothing' }, { kind: 'dm', name: 'eve', level: 'nothing' });
  live.tell('notification_settings_changed');
  await vi.advanceTimersByTimeAsync(200);
  expect(asked.sort()).toEqual(['/api/channels', '/api/dm/partners', '/api/notifications/settings']);
  // One mention in #general and two letters of the bot.
  expect(hub.waitingForMe).toBe(3);
  expect(hub.unreadIn('channel', hub.channel('ops') as never)).toBe(0);
  expect(hub.unreadIn('dm', hub.partner('bot') as never)).toBe(2);
  expect(hub.unreadIn('dm', hub.partner('eve') as never)).toBe(0);
});

test('without notification settings nothing is muted, and nothing else fails', async () => {
  await greeted();
  expect(hub.failure).toBeUndefined();
  expect(hub.isMuted('channel', 'ops')).toBe(false);
});

test('whoever writes comes to the top of the partners', async () => {
  await greeted();
  live.tell('new_message', { channel: null, from: 'eve', to: 'ada', message_id: 9, preview: 'hi' });
  expect(hub.partners?.map(({ name }) => name)).toEqual(['eve', 'bot']);
  expect(hub.partner('eve')?.preview).toBe('hi');
});

test('what my agents say to others leaves my partners alone', async () => {
  await greeted();
  live.tell('new_message', { channel: null, from: 'eve', to: 'bot', message_id: 9, preview: 'psst' });
  expect(hub.partners?.map(({ name }) => name)).toEqual(['bot', 'eve']);
});

test('a stranger who writes becomes a partner', async () => {
  await greeted();
  answers['/api/dm/partners'] = () => [partner('newcomer', 1)];
  live.tell('new_message', { channel: null, from: 'newcomer', to: 'ada', message_id: 9, preview: 'hi' });
  await vi.advanceTimersByTimeAsync(200);
  expect(hub.partner('newcomer')).toBeDefined();
});

test('a changed channel is asked for, and one that is gone is forgotten', async () => {
  await greeted();
  answers['/api/channels/ops'] = () => channel('ops', { topic: 'night shift' });
  live.tell('channel_changed', { channel: 'ops', action: 'updated' });
  live.tell('channel_changed', { channel: 'general', action: 'archived' });
  await vi.advanceTimersByTimeAsync(1);
  expect(hub.channels?.map(({ name, topic }) => [name, topic])).toEqual([['ops', 'night shift']]);
});

test('an event that overtakes a list on its way is not lost', async () => {
  await greeted();
  let answerLate: (body: object) => void = () => undefined;
  answers['/api/channels'] = () => new Promise((resolve) => (answerLate = resolve));
  live.tell('reset', { reason: 'slow' });
  await vi.advanceTimersByTimeAsync(1);
  live.tell('unread_update', { kind: 'channel', name: 'ops', unread: 5, mentions: 0 });
  answers['/api/channels'] = () => ({ channels: [channel('ops', { unread: 5 })], total: 1 });
  answerLate({ channels: [channel('ops', { unread: 2 })], total: 1 });
  await vi.advanceTimersByTimeAsync(200);
  expect(hub.channel('ops')?.unread).toBe(5);
});

test('many channels come page by page', async () => {
  const all = Array.from({ length: 450 }, (_, index) => channel(`c${index}`, { id: index }));
  let page = 0;
  answers['/api/channels'] = () => ({ channels: all.slice(page * 200, ++page * 200), total: 450 });
  await greeted();
  expect(hub.channels).toHaveLength(450);
});

test('a failure is told', async () => {
  answers['/api/channels'] = () => Promise.reject(new TypeError('lost'));
  await greeted();
  expect(hub.failure).toMatch(/is not responding/);
});

test('of two answers about a list the later question counts', async () => {
  const waiting: (() => void)[] = [];
  let count = 0;
  answers['/api/dm/partners'] = () => {
    const unread = (count += 1);
    return new Promise((resolve) => waiting.push(() => resolve([partner('bot', unread)])));
  };
  live.tell('hello');
  await vi.advanceTimersByTimeAsync(1);
  live.tell('reset', { reason: 'expired' });
  await vi.advanceTimersByTimeAsync(1);
  waiting[1]?.();
  await vi.advanceTimersByTimeAsync(1);
  waiting[0]?.();
  await vi.advanceTimersByTimeAsync(1);
  expect(hub.partner('bot')?.unread).toBe(2);
});

test('of two answers about a channel the later question counts', async () => {
  await greeted();
  const waiting: (() => void)[] = [];
  const topics = ['older', 'newer'];
  answers['/api/channels/ops'] = () => {
    const topic = topics.shift();
    return new Promise((resolve) => waiting.push(() => resolve(channel('ops', { topic }))));
  };
  live.tell('channel_changed', { channel: 'ops', action: 'updated' });
  live.tell('channel_changed', { channel: 'ops', action: 'updated' });
  await vi.advanceTimersByTimeAsync(1);
  waiting[1]?.();
  await vi.advanceTimersByTimeAsync(1);
  waiting[0]?.();
  await vi.advanceTimersByTimeAsync(1);
  expect(hub.channel('ops')?.topic).toBe('newer');
});
