import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import { Traces } from './traces.svelte';

let newest: number;
let refuse: boolean;
let gate: Promise<void> | undefined;
let traces: Traces;

/** A server with traces numbered from 1 up to `newest`. */
beforeEach(() => {
  newest = 120;
  refuse = false;
  gate = undefined;
  const send = (async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (searchParams.get('agent') === 'slow') await gate;
    if (refuse) return Response.json({ detail: 'Not now.' }, { status: 503 });
    if (pathname === '/api/traces/stats') return Response.json({ total: newest, errors: 0, actions: [] });
    const first = searchParams.has('cursor') ? Number(searchParams.get('cursor')) : newest;
    const last = Math.max(0, first - Number(searchParams.get('limit')));
    const ids = Array.from({ length: first - last }, (_, index) => first - index);
    const found = ids.map((id) => ({ id, agent: searchParams.get('agent') }));
    return Response.json({ traces: found, ...(last > 0 ? { next_cursor: String(last) } : {}) });
  }) as typeof fetch;
  traces = new Traces(createApi({ fetch: send, origin: 'http://hub.test' }));
});

const ids = () => traces.all?.map(({ id }) => id) ?? [];

test('older ones are added page by page, to the end', async () => {
  await traces.load({});
  expect([ids()[0], ids().length, traces.hasMore]).toEqual([120, 50, true]);
  await traces.more();
  await traces.more();
  expect(ids()).toEqual(Array.from({ length: 120 }, (_, index) => 120 - index));
  expect(traces.hasMore).toBe(false);
  await traces.more();
  expect(ids()).toHaveLength(120);
});

test('newer ones come to the top, with the numbers', async () => {
  await traces.load({});
  newest = 123;
  await traces.refresh();
  expect(ids().slice(0, 4)).toEqual([123, 122, 121, 120]);
  expect(ids()).toHaveLength(53);
  expect(traces.stats?.total).toBe(123);
});

test('after many newer ones the list begins anew, without a gap', async () => {
  await traces.load({});
  newest = 400;
  await traces.refresh();
  expect([ids()[0], ids().length]).toEqual([400, 50]);
  await traces.more();
  expect(ids()[50]).toBe(350);
});

test('an answer for a filter that was changed meanwhile is not shown', async () => {
  let open: () => void = () => undefined;
  gate = new Promise((resolve) => (open = resolve));
  const slow = traces.load({ agent: 'slow' });
  await traces.load({ agent: 'fast' });
  open();
  await slow;
  expect(traces.all?.[0]?.agent).toBe('fast');
});

test('a failure is told, and what was there stays', async () => {
  await traces.load({});
  refuse = true;
  await traces.refresh();
  expect(traces.failure).toBe('Not now.');
  expect(ids()).toHaveLength(50);
  refuse = false;
  await traces.refresh();
  expect(traces.failure).toBeUndefined();
});
