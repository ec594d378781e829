import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi, type Api } from '../api/client';
import { Problem } from '../api/problem';
import type { LiveName } from '../live/events';
import { Approvals } from './approvals.svelte';
import { OneGoal } from './goal.svelte';
import { Goals, readStatus } from './goals.svelte';
import { sampleApproval, sampleDetail, sampleGoal, sampleTask } from './sample';

const listeners = new Map<string, (event: never) => void>();
const live = {
  on: (name: LiveName, listener: (event: never) => void) => {
    listeners.set(name, listener);
    return () => listeners.delete(name);
  },
} as never;
const tell = (name: LiveName, event: object) => listeners.get(name)?.(event as never);

let api: Api;
let asked: string[];
let bodies: unknown[];
let answers: Record<string, () => Response>;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  bodies = [];
  answers = {};
  const send = (async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname}${search}`);
    const text = await request.text();
    if (text !== '') bodies.push(JSON.parse(text));
    return answers[`${request.method} ${pathname}`]?.() ?? Response.json({ requests: [] });
  }) as typeof fetch;
  api = createApi({ fetch: send, origin: 'http://hub.test' });
});

afterEach(() => vi.useRealTimers());

test('goals come page by page, in the order of the server, each once', async () => {
  const pages = [
    { goals: [sampleGoal(9, { status: 'stuck' }), sampleGoal(12)], next_cursor: 'next' },
    { goals: [sampleGoal(12), sampleGoal(3)], next_cursor: null },
  ];
  answers['GET /api/goals'] = () => Response.json(pages.shift());
  const goals = new Goals(api);
  await goals.load(undefined);
  expect(goals.hasMore).toBe(true);
  await goals.more();
  expect(goals.all?.map(({ id }) => id)).toEqual([9, 12, 3]);
  expect(goals.hasMore).toBe(false);
  expect(asked).toEqual(['GET /api/goals?limit=50', 'GET /api/goals?limit=50&cursor=next']);
});

test('changes in a row are one question, with the same filter', async () => {
  answers['GET /api/goals'] = () => Response.json({ goals: [sampleGoal(1)] });
  const goals = new Goals(api);
  await goals.load('stuck');
  asked.length = 0;
  goals.refreshSoon();
  goals.refreshSoon();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual(['GET /api/goals?limit=50&status=stuck']);
});

test('what is beyond the largest page stays when changes are taken over', async () => {
  const numbers = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => sampleGoal(from + index));
  const pages = [1, 51, 101, 151, 201].map((from) => ({ goals: numbers(from, 50), next_cursor: `c${from}` }));
  answers['GET /api/goals'] = () => Response.json(pages.shift());
  const goals = new Goals(api);
  await goals.load(undefined);
  for (let page = 2; page <= 5; page += 1) await goals.more();
  pages.push({ goals: numbers(0, 200), next_cursor: 'c0' });
  await goals.refresh();
  expect(goals.all?.map(({ id }) => id)).toEqual(numbers(0, 251).map(({ id }) => id));
  pages.push({ goals: [], next_cursor: '' });
  await goals.more();
  expect(asked.at(-1)).toContain('cursor=c201');
});

test('a failure leaves what was shown', async () => {
  answers['GET /api/goals'] = () => Response.json({ goals: [sampleGoal(1)] });
  const goals = new Goals(api);
  await goals.load(undefined);
  answers['GET /api/goals'] = () => Response.json({ detail: 'Busy.' }, { status: 500 });
  await goals.refresh();
  expect(goals.failure).toBe('Busy.');
  expect(goals.all).toHaveLength(1);
});

test.each([
  ['status=stuck', 'stuck'],
  ['status=wild', undefined],
  ['', undefined],
])('the address ?%s asks for %s', (query, status) => {
  expect(readStatus(new URLSearchParams(query))).toBe(status);
});

test('a goal has the requests for secrets that belong to it', async () => {
  answers['GET /api/goals/1'] = () => Response.json(sampleDetail(1));
  answers['GET /api/secret-requests'] = () =>
    Response.json({ requests: [{ id: 4, goal_id: 1 }, { id: 5, goal_id: 2 }, { id: 6 }] });
  const one = new OneGoal(api, live, 1);
  await one.load();
  expect(one.requests.map(({ id }) => id)).toEqual([4]);
});

test('only events of the goal and messages in its channel load it again', async () => {
  answers['GET /api/goals/1'] = () => Response.json(sampleDetail(1, { channel: 'goal-one' }));
  const one = new OneGoal(api, live, 1);
  const stop = one.watch();
  await vi.advanceTimersByTimeAsync(1);
  asked.length = 0;
  tell('goal_changed', { goal_id: 2 });
  tell('new_message', { channel: 'general' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual([]);
  tell('new_message', { channel: 'goal-one' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual(['GET /api/goals/1']);
  tell('goal_changed', { goal_id: 1 });
  tell('goal_changed', { goal_id: 1 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.slice(1).sort()).toEqual([
    'GET /api/goals/1',
    expect.stringContaining('/api/secret-requests'),
  ]);
  stop();
});

test('a goal that is not there or not mine is missing', async () => {
  answers['GET /api/goals/1'] = () => Response.json({ detail: 'No goal.' }, { status: 404 });
  const one = new OneGoal(api, live, 1);
  await one.load();
  expect(one.isMissing).toBe(true);
  expect(one.failure).toBeUndefined();
});

test('a decision is sent once at a time, then the goal is shown as it is', async () => {
  let status: 'proposed' | 'approved' = 'proposed';
  answers['GET /api/goals/1'] = () =>
    Response.json(sampleDetail(1, { tasks: [sampleTask(7, { children: [sampleTask(8, { status })] })] }));
  answers['POST /api/goals/1/approve'] = () => {
    status = 'approved';
    return Response.json(sampleGoal(1));
  };
  const one = new OneGoal(api, live, 1);
  await one.load();
  expect(one.proposed).toBe(1);
  await Promise.all([one.approveAll(), one.approveAll()]);
  expect(asked.filter((call) => call.startsWith('POST'))).toEqual(['POST /api/goals/1/approve']);
  expect(one.proposed).toBe(0);
  expect(one.busy.size).toBe(0);
});

test('a verdict goes to its task, and a refusal is thrown', async () => {
  answers['GET /api/goals/1'] = () => Response.json(sampleDetail(1));
  answers['POST /api/goals/1/tasks/7/verify'] = () =>
    Response.json({ code: 'illegal_transition', detail: 'It is done.' }, { status: 409 });
  const one = new OneGoal(api, live, 1);
  await expect(one.verifyTask(7, { passed: false, note: 'No tests' })).rejects.toBeInstanceOf(Problem);
  expect(bodies).toEqual([{ passed: false, note: 'No tests' }]);
  expect(one.busy.size).toBe(0);
});

test('approvals are decided at their own addresses', async () => {
  const approvals = new Approvals(api);
  answers['GET /api/approvals'] = () =>
    Response.json({ approvals: [sampleApproval({ goal_id: 1, goal: 'First' })], total: 3 });
  await approvals.list.load();
  expect(approvals.groups).toHaveLength(1);
  expect(approvals.unlisted).toBe(2);
  await approvals.approve(sampleApproval({ goal_id: 1, id: 7 }));
  await approvals.approve(sampleApproval({ kind: 'agent', goal_id: 1, id: 2 }));
  await approvals.reject(sampleApproval({ kind: 'agent', goal_id: 1, id: 2 }));
  await approvals.reject(sampleApproval({ kind: 'secret', id: 8 }));
  await approvals.provide(sampleApproval({ kind: 'secret', id: 8 }), 'hush');
  expect(asked.filter((call) => call.startsWith('POST'))).toEqual([
    'POST /api/goals/1/tasks/7/approve',
    'POST /api/goals/1/proposals/2/approve',
    'POST /api/goals/1/proposals/2/reject',
    'POST /api/secret-requests/8/reject',
    'POST /api/secret-requests/8/provide',
  ]);
  expect(bodies.at(-1)).toEqual({ value: 'hush' });
});
