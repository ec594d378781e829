import { beforeEach, expect, test, vi } from 'vitest';
import { createApi, type Api } from '../api/client';
import { plainLog, RunLog } from './log.svelte';
import { RunStarter } from './reactive.svelte';
import { OneRun } from './run.svelte';
import { readFilter, Runs } from './runs.svelte';

let asked: { url: string; key: string | null; body: string }[];
let respond: (url: URL) => Response | Promise<Response>;
let api: Api;

beforeEach(() => {
  asked = [];
  respond = () => Response.json({});
  const send = (async (request: Request) => {
    const url = new URL(request.url);
    const body = await request.text();
    asked.push({
      url: `${request.method} ${url.pathname}${url.search}`,
      key: request.headers.get('idempotency-key'),
      body,
    });
    return respond(url);
  }) as typeof fetch;
  api = createApi({ fetch: send, origin: 'http://hub.test' });
});

const page = (ids: readonly number[], next_cursor: number | null = null) =>
  Response.json({ runs: ids.map((id) => ({ id, status: 'succeeded' })), next_cursor });

test('the filter is what the address says, and nonsense is none', () => {
  expect(readFilter(new URLSearchParams('agent=bot&status=failed'))).toEqual({
    agent: 'bot',
    status: 'failed',
  });
  expect(readFilter(new URLSearchParams('agent=&status=odd'))).toEqual({
    agent: undefined,
    status: undefined,
  });
});

test('runs are asked for with the filter, and older ones with the cursor', async () => {
  const runs = new Runs(api);
  respond = (url) => (url.searchParams.has('cursor') ? page([1]) : page([3, 2], 2));
  await runs.load({ agent: 'bot', status: 'failed' });
  expect(runs.hasMore).toBe(true);
  await runs.more();
  expect(asked.map(({ url }) => url)).toEqual([
    'GET /api/runs?limit=50&agent=bot&status=failed',
    'GET /api/runs?limit=50&agent=bot&status=failed&cursor=2',
  ]);
  expect(runs.all?.map(({ id }) => id)).toEqual([3, 2, 1]);
  expect(runs.hasMore).toBe(false);
});

test('news keep the older ones, and begin anew when there is a gap', async () => {
  const runs = new Runs(api);
  respond = (url) => (url.searchParams.has('cursor') ? page([2, 1]) : page([4, 3], 3));
  await runs.load({});
  await runs.more();
  respond = () => page([5, 4], 4);
  await runs.refresh();
  expect(runs.all?.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1]);
  respond = () => page([90, 89], 89);
  await runs.refresh();
  expect(runs.all?.map(({ id }) => id)).toEqual([90, 89]);
});

test('a failure is told, and what was shown stays', async () => {
  const runs = new Runs(api);
  respond = () => page([1]);
  await runs.load({});
  respond = () => Response.json({ detail: 'Not now.' }, { status: 503 });
  await runs.refresh();
  expect([runs.failure, runs.all?.length]).toEqual(['Not now.', 1]);
});

test('a run that does not exist is missing', async () => {
  const one = new OneRun(api, 7);
  respond = () => Response.json({ detail: 'There is no such run.' }, { status: 404 });
  await one.load();
  expect([one.isMissing, one.failure]).toEqual([true, undefined]);
});

test('the run of an event comes with its Job, other runs without asking', async () => {
  const one = new OneRun(api, 7);
  let cause = 'event';
  let job: string | null = null;
  respond = ({ pathname }) =>
    pathname.startsWith('/api/k8s/')
      ? Response.json({ id: 7, namespace: job && 'agents', job })
      : Response.json({ run: { id: 7, status: 'running', cause }, harness_run: null });
  await one.load();
  expect(one.awaitsJob).toBe(true);
  job = 'svc-bot-7';
  await one.load();
  expect([one.awaitsJob, one.job?.job]).toEqual([false, 'svc-bot-7']);
  cause = 'message';
  asked = [];
  await one.load();
  expect(asked.map(({ url }) => url)).toEqual(['GET /api/runs/7']);
});

test('the run of a harness that has no Job yet is read without it', async () => {
  const one = new OneRun(api, 7);
  respond = ({ pathname }) =>
    pathname.startsWith('/api/k8s/')
      ? Response.json({ detail: 'There is no such run.' }, { status: 404 })
      : Response.json({
          run: { id: 7, status: 'failed', cause: 'message' },
          harness_run: { backend: 'k8s' },
        });
  await one.load();
  expect([one.isMissing, one.failure, one.job, one.awaitsJob]).toEqual([false, undefined, undefined, false]);
});

test('a refused retry says why, and another try is another request', async () => {
  const one = new OneRun(api, 7);
  respond = () => Response.json({ detail: 'This agent is paused.', code: 'paused' }, { status: 409 });
  expect(await one.retry()).toBeUndefined();
  expect(one.refusal).toBe('This agent is paused.');
  respond = () => Response.json({ id: 8 }, { status: 201 });
  expect(await one.retry()).toBe(8);
  expect(one.refusal).toBeUndefined();
  expect(asked[0]?.key).not.toBe(asked[1]?.key);
});

test('a start that is sent again, after its answer got lost, has the same key', async () => {
  const starter = new RunStarter(api, 'bot');
  respond = () => Promise.reject(new TypeError('lost'));
  await expect(starter.start('Look.')).rejects.toThrow('not responding');
  respond = () => Response.json({ id: 3 }, { status: 201 });
  expect(await starter.start('Look.')).toBe(3);
  await starter.start('');
  const [first, second, third] = asked;
  expect(second?.key).toBe(first?.key);
  expect(third?.key).not.toBe(first?.key);
  expect([second?.body, third?.body]).toEqual(['{"prompt":"Look."}', '{}']);
});

test('a log is read to its end, across letters that are cut', async () => {
  const log = new RunLog(api, 7);
  const bytes = new TextEncoder().encode('für\n\u001b[31mred\u001b[0m\n');
  respond = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(bytes.slice(0, 2));
          controller.enqueue(bytes.slice(2));
          controller.close();
        },
      }),
    );
  const stop = log.follow(() => false);
  await vi.waitFor(() => expect(log.complete).toBe(true));
  expect(log.text).toBe('für\nred\n');
  expect(asked[0]?.url).toBe('GET /api/runs/7/logs?follow=true');
  stop();
});

test('a log has no controls of terminals', () => {
  expect(plainLog('a\r\nb\rc\u0007\t\u001b]0;title\u0007d\u001b[2K')).toBe('a\nb\nc\td');
});
