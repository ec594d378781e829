import { beforeEach, expect, test } from 'vitest';
import { createApi, type Message } from '../api/client';
import { message } from '../messages/sample';
import type { Notice } from './notice';
import { TabNotifier } from './tab-notifier';

const NOW = new Date('2026-03-01T12:00:00Z');
type Listener = (news: object) => void;

let listener: Listener;
let messages: Map<number, Message>;
let onScreen: string[];
let levels: Record<string, string>;
let state: {
  first: boolean;
  on: boolean;
  paused: boolean;
  pushed: boolean;
  allowed: boolean;
  quiet: boolean;
  kind: boolean;
};
let asked: number;
let shown: Notice[];

const send = (async (request: Request) => {
  asked += 1;
  const found = messages.get(Number(request.url.split('/').at(-1)));
  return found ? Response.json(found) : Response.json({ code: 'not_found' }, { status: 404 });
}) as typeof fetch;

function begin(): () => void {
  const quiet = { start: '00:00', end: '23:59', time_zone: 'UTC' };
  return new TabNotifier({
    api: createApi({ fetch: send, origin: 'http://hub.test' }),
    live: {
      on: ((_: string, heard: Listener) => {
        listener = heard;
        return () => undefined;
      }) as never,
    },
    tabs: {
      get isFirst() {
        return state.first;
      },
      onScreen: () => Promise.resolve(onScreen),
    },
    settings: {
      get isOn() {
        return state.on;
      },
      pausedUntil: () => (state.paused ? NOW : undefined),
    },
    me: 'ada',
    account: () =>
      ({
        kinds: { direct_message: state.kind },
        quiet_hours: state.quiet ? quiet : null,
        conversations: [],
      }) as never,
    level: (kind, name) => (levels[`${kind} ${name}`] ?? (kind === 'channel' ? 'mentions' : 'all')) as never,
    hasWorkflow: (channel) => channel === 'plans',
    nameOf: (handle) => handle,
    isPushed: () => state.pushed,
    isAllowed: () => state.allowed,
    now: () => NOW,
    show: (notice) => shown.push(notice),
  }).start();
}

/** Somebody writes; what that shows, by tag. */
async function said(id: number, more: object): Promise<string[]> {
  const base = { from: 'bob', from_kind: 'human', channel: null, to: 'ada', created_at: NOW.toISOString() };
  const letter = { ...base, ...more };
  messages.set(id, message(id, letter as unknown as Partial<Message>));
  shown = [];
  listener({ message_id: id, mentions_me: false, mention_of: null, ...letter });
  // The answer of the stand-in takes a few turns of the loop.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return shown.map(({ tag }) => tag);
}

beforeEach(() => {
  messages = new Map();
  onScreen = [];
  levels = {};
  asked = 0;
  state = { first: true, on: true, paused: false, pushed: false, allowed: true, quiet: false, kind: true };
  begin();
});

test('a direct message is shown, my own and those to my agents are not', async () => {
  expect(await said(1, {})).toEqual(['dm:bob']);
  expect(await said(2, { from: 'ada', to: 'bob' })).toEqual([]);
  expect(await said(3, { to: 'scout' })).toEqual([]);
});

test('a mention is shown once, by the message about it', async () => {
  expect(await said(1, { channel: 'general', to: null, mentions_me: true })).toEqual([]);
  const metadata = { mention: { channel: 'general', message_id: 1 } };
  expect(await said(2, { metadata })).toEqual(['channel:general']);
  levels['channel general'] = 'nothing';
  expect(await said(3, { metadata })).toEqual([]);
});

test('levels of conversations count', async () => {
  expect(await said(1, { channel: 'general', to: null })).toEqual([]);
  expect(asked).toBe(0);
  levels['channel general'] = 'all';
  expect(await said(2, { channel: 'general', to: null })).toEqual(['channel:general']);
  levels['dm bob'] = 'nothing';
  expect(await said(3, {})).toEqual([]);
  expect(await said(4, { channel: 'plans', to: null, workflow_state: 'proposed' })).toEqual(['approval:4']);
});

test.each(['first', 'on', 'allowed', 'kind'] as const)('nothing is shown unless %s holds', async (fact) => {
  state[fact] = false;
  expect(await said(1, {})).toEqual([]);
});

test.each(['paused', 'quiet'] as const)('nothing is shown while %s', async (fact) => {
  state[fact] = true;
  expect(await said(1, {})).toEqual([]);
});

test('nothing is shown of a conversation that is on screen in any tab', async () => {
  onScreen = ['/dm/bob'];
  expect(await said(1, {})).toEqual([]);
  onScreen = ['/dm/eve'];
  expect(await said(2, {})).toEqual(['dm:bob']);
});

test('what the server pushes is not shown a second time', async () => {
  state.pushed = true;
  expect(await said(1, {})).toEqual([]);
  onScreen = ['/search'];
  expect(await said(2, {})).toEqual(['dm:bob']);
});

test('what is old, deleted or out of sight is not shown', async () => {
  expect(await said(1, { created_at: '2026-03-01T11:54:00Z' })).toEqual([]);
  expect(await said(2, { deleted_at: NOW.toISOString() })).toEqual([]);
  messages.clear();
  listener({
    message_id: 9,
    channel: null,
    from: 'bob',
    to: 'ada',
    mentions_me: false,
    created_at: NOW.toISOString(),
  });
  expect(await said(3, {})).toEqual(['dm:bob']);
});
