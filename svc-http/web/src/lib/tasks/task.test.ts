import { beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { LiveList } from '../api/live-list.svelte';
import { listTasks, type Task, type TaskFilter } from './api';
import { OneTask } from './task.svelte';

let requests: { method: string; address: string; body: unknown }[];
let answers: Record<string, { status: number; json: unknown }>;
const send = (async (request: Request) => {
  const { pathname, search } = new URL(request.url);
  const body: unknown = request.method === 'GET' ? undefined : await request.json();
  requests.push({ method: request.method, address: pathname + search, body });
  const { status, json } = answers[pathname] ?? { status: 404, json: { code: 'not_found' } };
  return Response.json(json, { status });
}) as typeof fetch;
const api = createApi({ fetch: send, origin: 'http://hub.test' });

type Listener = (event: { task_id: number }) => void;
let listeners: Map<string, Listener>;
const live = {
  on: (name: string, listener: Listener) => {
    listeners.set(name, listener);
    return () => listeners.delete(name);
  },
} as never;

beforeEach(() => {
  requests = [];
  answers = { '/api/tasks/3': { status: 200, json: { task: { id: 3, status: 'open' }, bids: [{ id: 9 }] } } };
  listeners = new Map();
});

test('a task follows its own events only', async () => {
  vi.useFakeTimers();
  try {
    const one = new OneTask(api, live, 3);
    const stop = one.watch();
    await vi.advanceTimersByTimeAsync(0);
    expect([one.task?.id, one.bids.length]).toEqual([3, 1]);
    listeners.get('task_changed')?.({ task_id: 4 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(requests).toHaveLength(1);
    listeners.get('task_changed')?.({ task_id: 3 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(requests).toHaveLength(2);
    stop();
    expect(listeners.size).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a task that is not there is missing, any other failure is told', async () => {
  const one = new OneTask(api, live, 5);
  await one.load();
  expect([one.isMissing, one.failure]).toEqual([true, undefined]);
  answers['/api/tasks/5'] = { status: 503, json: { detail: 'Try again later.' } };
  await one.load();
  expect([one.isMissing, one.failure]).toEqual([false, 'Try again later.']);
});

test('a decision that is refused says why, and shows how it is', async () => {
  const one = new OneTask(api, live, 3);
  answers['/api/tasks/3/accept'] = {
    status: 409,
    json: { code: 'task_not_open', detail: 'It is assigned.' },
  };
  await expect(one.accept(9)).rejects.toThrow('It is assigned.');
  expect(requests.map(({ method, address }) => `${method} ${address}`)).toEqual([
    'POST /api/tasks/3/accept',
    'GET /api/tasks/3',
  ]);
  expect(one.busy).toBe(false);
});

test('the list asks for what the filter says, page by page', async () => {
  answers['/api/tasks'] = { status: 200, json: { tasks: [{ id: 8 }, { id: 7 }], has_more: true } };
  const list = new LiveList<Task, TaskFilter>((filter, page) => listTasks(api, filter, page));
  await list.load({ status: 'open', mine: true });
  expect([list.all?.length, list.hasMore]).toEqual([2, true]);
  answers['/api/tasks'] = { status: 200, json: { tasks: [{ id: 6 }], has_more: false } };
  await list.more();
  expect([list.all?.map(({ id }) => id), list.hasMore]).toEqual([[8, 7, 6], false]);
  expect(requests.map(({ address }) => address)).toEqual([
    '/api/tasks?limit=50&status=open&mine=true',
    '/api/tasks?limit=50&status=open&mine=true&before=7',
  ]);
});
