import { beforeEach, expect, test } from 'vitest';
import { createApi, type Api } from '../api/client';
import { Problem } from '../api/problem';
import { Handlers } from './handlers.svelte';
import { Jobs } from './jobs.svelte';
import type { Handler } from './words';

let asked: string[];
let keys: (string | null)[];
let stored: Handler[];
let lose: boolean;
let api: Api;

const handler = (id: number, more: Partial<Handler> = {}) =>
  ({ id, agent: 'bot', image: `agent:${id}`, events: ['*'], env: {}, ...more }) as Handler;

async function answerTo(request: Request): Promise<Response> {
  const url = new URL(request.url);
  asked.push(`${request.method} ${url.pathname}${url.search}`);
  if (url.pathname === '/api/k8s/runs') {
    const isFirst = !url.searchParams.has('cursor');
    const runs = (isFirst ? [9, 8] : [7]).map((id) => ({ id, status: 'failed' }));
    return Response.json({ runs, next_cursor: isFirst ? 8 : null });
  }
  if (request.method === 'POST') {
    keys.push(request.headers.get('idempotency-key'));
    if (lose) throw new TypeError('lost');
    const body = await request.json();
    if (body.image === '') {
      const errors = [{ field: 'image', message: 'must be the name of an image' }];
      return Response.json({ code: 'validation', detail: 'Not valid.', errors }, { status: 400 });
    }
    const made = handler(stored.length + 1, body);
    stored = [...stored, made];
    return Response.json(made, { status: 201 });
  }
  if (request.method === 'DELETE') {
    stored = stored.filter(({ id }) => !url.pathname.endsWith(`/${id}`));
    return new Response(null, { status: 204 });
  }
  const cluster = { configured: false, namespace: null, problem: 'Set KUBECONFIG.' };
  return Response.json({ handlers: stored, total: stored.length, cluster });
}

beforeEach(() => {
  asked = [];
  keys = [];
  stored = [handler(1), handler(2)];
  lose = false;
  api = createApi({
    fetch: ((request: Request) => answerTo(request)) as typeof fetch,
    origin: 'http://hub.test',
  });
});

test('the handlers of the agent come with the state of the cluster', async () => {
  const handlers = new Handlers(api, 'bot');
  await handlers.load();
  expect(asked).toEqual(['GET /api/k8s/handlers?agent=bot']);
  expect(handlers.all?.map(({ id }) => id)).toEqual([1, 2]);
  expect(handlers.cluster?.problem).toBe('Set KUBECONFIG.');
  expect(handlers.isFull).toBe(false);
});

test('ten handlers are as many as an agent can have', async () => {
  stored = Array.from({ length: 10 }, (_, index) => handler(index + 1));
  const handlers = new Handlers(api, 'bot');
  await handlers.load();
  expect(handlers.isFull).toBe(true);
  await handlers.delete(4);
  expect(asked).toContain('DELETE /api/k8s/handlers/4');
  expect([handlers.isFull, handlers.all?.length]).toEqual([false, 9]);
});

test('a new handler is in the list; a try after a lost answer is the same request', async () => {
  const handlers = new Handlers(api, 'bot');
  await handlers.load();
  lose = true;
  await expect(handlers.create({ image: 'new', events: ['*'] })).rejects.toThrow();
  lose = false;
  expect(await handlers.create({ image: 'new', events: ['*'] })).toBe(3);
  await handlers.create({ image: 'new', events: ['*'] });
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
  expect(handlers.all?.map(({ image, agent }) => `${agent} ${image}`)).toContain('bot new');
});

test('a refused handler is thrown', async () => {
  const handlers = new Handlers(api, 'bot');
  await expect(handlers.create({ image: '', events: ['*'] })).rejects.toBeInstanceOf(Problem);
});

test('Jobs are those of the agent, and older ones are asked for with the cursor', async () => {
  const jobs = new Jobs(api);
  await jobs.load('bot');
  expect(jobs.hasMore).toBe(true);
  await jobs.more();
  expect(asked).toEqual([
    'GET /api/k8s/runs?agent=bot&limit=50',
    'GET /api/k8s/runs?agent=bot&limit=50&cursor=8',
  ]);
  expect(jobs.all?.map(({ id }) => id)).toEqual([9, 8, 7]);
  expect(jobs.hasMore).toBe(false);
});
