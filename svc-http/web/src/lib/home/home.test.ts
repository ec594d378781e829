import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi, type Agent, type Message } from '../api/client';
import type { LiveName } from '../live/events';
import type { Run } from '../runs/words';
import { conversationAddress, Home, isStopped, isWaiting, lastFailures } from './home.svelte';

const listeners = new Set<{ name: LiveName; listener: (event: never) => void }>();
const live = {
  on: (name: LiveName, listener: (event: never) => void) => {
    const entry = { name, listener };
    listeners.add(entry);
    return () => listeners.delete(entry);
  },
};
const tell = (name: LiveName, event: object = {}) => {
  for (const entry of listeners) if (entry.name === name) entry.listener(event as never);
};
const proposal = { id: 7, body: 'Ship it', channel: 'releases' } as Message;
const last = { id: 1, from: 'bot', preview: 'hi', created_at: '2026-03-01T12:00:00Z' };

let asked: string[];
let open: Message[];
let refuse: boolean;
/** Whether my approval stands; the same reaction takes it back. */
let stands: boolean;
let home: Home;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  open = [proposal];
  refuse = false;
  stands = false;
  const send = (async (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (pathname.endsWith('/by-state')) return Response.json({ messages: open, total: open.length });
    if (pathname.endsWith('/dead-letters')) return Response.json({ dead_letters: [], total: 3 });
    if (pathname === '/api/mentions') return Response.json({ mentions: [], has_more: false });
    if (pathname === '/api/runs/5/retry') return Response.json({ id: 6 }, { status: 201 });
    if (pathname === '/api/runs') return Response.json({ runs: [] });
    if (pathname === '/api/loops') return Response.json({ loops: [] });
    if (pathname === '/api/approvals') return Response.json({ approvals: [], total: 0 });
    if (pathname === '/api/agents/reactive') return Response.json({ agents: [] });
    if (pathname.endsWith('/reactions')) {
      if (refuse) return Response.json({ detail: 'Trust is too low.' }, { status: 403 });
      stands = !stands;
      open = stands ? [] : [proposal];
      return Response.json({ action: stands ? 'added' : 'removed' });
    }
    return Response.json({
      total: 4,
      conversations: [
        { id: 1, kind: 'dm', participant: 'ada', with: 'bot', subject: 'docs', last_message: last },
        { id: 2, kind: 'dm', participant: 'bot', with: 'scout', subject: '', last_message: last },
        { id: 3, kind: 'dm', participant: 'ada', with: 'bot', subject: '', last_message: last },
        { id: 4, kind: 'channel', channel: 'a b', subject: '', last_message: last },
        { id: 5, kind: 'channel', channel: 'silent', subject: '', last_message: null },
      ],
    });
  }) as typeof fetch;
  home = new Home(createApi({ fetch: send, origin: 'http://hub.test' }), live as never, () => 'ada');
  stop = home.watch();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('recent conversations are mine, each page once, and have a message', async () => {
  await vi.advanceTimersByTimeAsync(1);
  expect(home.recent('ada').map(conversationAddress)).toEqual(['/dm/bot', '/c/a%20b']);
});

test('dead letters are counted', async () => {
  await vi.advanceTimersByTimeAsync(1);
  expect(home.letters.list.value?.total).toBe(3);
});

test('a failed run is repeated once at a time', async () => {
  await vi.advanceTimersByTimeAsync(1);
  const twice = Promise.all([home.retry({ id: 5 }), home.retry({ id: 5 })]);
  expect(home.retrying.has(5)).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  await twice;
  expect(asked.filter((path) => path === '/api/runs/5/retry')).toHaveLength(1);
  expect(home.retrying.size).toBe(0);
});

test('an approved proposal waits no longer', async () => {
  await vi.advanceTimersByTimeAsync(1);
  expect(home.proposals.value?.messages).toHaveLength(1);
  await home.decide(proposal, 'approve');
  expect(home.proposals.value?.messages).toHaveLength(0);
});

test('a second press while the first is on its way would take the approval back', async () => {
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all([home.decide(proposal, 'approve'), home.decide(proposal, 'approve')]);
  expect(asked.filter((path) => path.endsWith('/reactions'))).toHaveLength(1);
});

test('an approval that stood already, unknown to this page, stands afterwards', async () => {
  await vi.advanceTimersByTimeAsync(1);
  stands = true;
  await home.decide(proposal, 'approve');
  expect(stands).toBe(true);
});

test('what I have proposed myself, and answers to proposals, do not wait for me', async () => {
  open = [
    { ...proposal, id: 8, from: 'ada' },
    { ...proposal, id: 9, from: 'bot', reply_to: 7 },
    { ...proposal, from: 'bot' },
  ];
  await home.proposals.load();
  expect(home.proposals.value).toMatchObject({ messages: [{ id: 7 }], hasMore: false });
  open = Array.from({ length: 8 }, (_, index) => ({ ...proposal, id: index + 10, from: 'bot' }));
  await home.proposals.load();
  expect(home.proposals.value?.messages).toHaveLength(6);
  expect(home.proposals.value?.hasMore).toBe(true);
});

test('a refusal is thrown, and the proposal can be approved again', async () => {
  refuse = true;
  await expect(home.decide(proposal, 'approve')).rejects.toThrow('Trust is too low.');
  expect(home.deciding.size).toBe(0);
});

test.each([
  ['workflow_state_changed', '/api/messages/by-state'],
  ['message_updated', '/api/dead-letters'],
  ['unread_update', '/api/conversations'],
  ['goal_changed', '/api/approvals'],
  ['message_edited', '/api/mentions'],
] as const)('%s asks for %s', async (name, path) => {
  await vi.advanceTimersByTimeAsync(1);
  asked.length = 0;
  tell(name);
  tell(name);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual([path]);
});

test('the last failure of an agent waits for a day, until a later run of it', () => {
  const now = Date.parse('2026-03-02T12:00:00Z');
  const run = (id: number, agent: string, status: string, ended_at: string | null): Run =>
    ({ id, agent, status, ended_at }) as Run;
  const runs = [
    run(9, 'late', 'coalesced', '2026-03-02T11:00:00Z'),
    run(8, 'late', 'failed', '2026-03-02T11:00:00Z'),
    run(7, 'mended', 'succeeded', '2026-03-02T11:00:00Z'),
    run(6, 'mended', 'failed', '2026-03-02T10:00:00Z'),
    run(5, 'retried', 'running', null),
    run(4, 'retried', 'failed', '2026-03-02T10:00:00Z'),
    run(3, 'late', 'failed', '2026-03-02T10:00:00Z'),
    run(2, 'old', 'failed', '2026-03-01T11:00:00Z'),
  ];
  expect(lastFailures(runs, now).map(({ id }) => id)).toEqual([8]);
});

test.each([
  ['idle', false, false],
  ['paused', true, true],
  ['running', true, false],
  ['queued', false, true],
] as const)('an agent that is %s with waiting messages %s waits: %s', (state, pending_work, waits) => {
  expect(isWaiting({ state, pending_work })).toBe(waits);
});

test.each([
  [{ quarantined_at: '2026-03-01T12:00:00Z', paused_reason: null }, true],
  [{ quarantined_at: null, paused_reason: 'budget' }, true],
  [{ quarantined_at: null, paused_reason: 'manual' }, false],
  [{ quarantined_at: null, paused_reason: null }, false],
])('an agent with %o is stopped: %s', (agent, stopped) => expect(isStopped(agent as Agent)).toBe(stopped));

test.each(['run_changed', 'loop_changed'] as const)('%s asks for runs and loops again', async (name) => {
  await vi.advanceTimersByTimeAsync(1);
  asked.length = 0;
  tell(name);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.sort()).toEqual(['/api/agents/reactive', '/api/loops', '/api/runs']);
});
