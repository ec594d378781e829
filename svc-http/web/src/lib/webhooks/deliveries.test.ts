import { beforeEach, expect, test } from 'vitest';
import { createApi, type Api } from '../api/client';
import { Deliveries, readId, readStatus } from './deliveries.svelte';
import { OneDelivery } from './delivery.svelte';
import type { Delivery, DeliveryStatus } from './words';

let stored: Delivery[];
let asked: string[];
let failing: boolean;
let api: Api;

const delivery = (id: number, status: DeliveryStatus = 'delivered') =>
  ({ id, webhook_id: 7, event: 'message.received', status, attempts: 1 }) as Delivery;

function answerTo(request: Request): Response {
  const { pathname, search, searchParams } = new URL(request.url);
  asked.push(`${request.method} ${pathname}${search}`);
  if (failing) return Response.json({ detail: 'The webhook is disabled.' }, { status: 409 });
  if (pathname.startsWith('/api/webhooks/')) {
    const status = searchParams.get('status');
    const before = Number(searchParams.get('cursor') ?? Infinity);
    const limit = Number(searchParams.get('limit'));
    const all = stored.filter((one) => (!status || one.status === status) && one.id < before);
    const deliveries = all.slice(0, limit);
    return Response.json({ deliveries, next_cursor: all.length > limit ? deliveries.at(-1)?.id : null });
  }
  const id = Number(pathname.split('/')[3]);
  const found = stored.find((one) => one.id === id);
  if (!found) return Response.json({ detail: 'No delivery.' }, { status: 404 });
  if (request.method === 'POST') {
    const again = { ...found, status: 'pending' as const };
    stored = stored.map((one) => (one.id === id ? again : one));
    return Response.json(again);
  }
  return Response.json({ delivery: found, request: { url: '', headers: [], body: '{}' }, attempts: [] });
}

beforeEach(() => {
  stored = Array.from({ length: 120 }, (_, index) => delivery(120 - index));
  asked = [];
  failing = false;
  const send = (async (request: Request) => answerTo(request)) as typeof fetch;
  api = createApi({ fetch: send, origin: 'http://hub.test' });
});

const ids = (list: Deliveries) => list.all?.map(({ id }) => id) ?? [];

test('older deliveries are added page by page until the last one', async () => {
  const list = new Deliveries(api, 7);
  await list.load(undefined);
  expect([list.all?.length, list.hasMore]).toEqual([50, true]);
  await list.more();
  await list.more();
  expect([list.all?.length, list.hasMore]).toEqual([120, false]);
  expect(asked[1]).toBe('GET /api/webhooks/7/deliveries?limit=50&cursor=71');
});

test('only those with a status', async () => {
  stored[3] = delivery(117, 'dead');
  const list = new Deliveries(api, 7);
  await list.load('dead');
  expect(ids(list)).toEqual([117]);
});

test('what is new or has changed appears, and what was loaded before stays', async () => {
  stored[60] = delivery(60, 'retrying');
  const list = new Deliveries(api, 7);
  await list.load(undefined);
  await list.more();
  stored = [delivery(121, 'pending'), ...stored.map((one) => (one.id === 60 ? delivery(60, 'dead') : one))];
  await list.refresh();
  expect(ids(list)).toEqual(stored.slice(0, list.all?.length).map(({ id }) => id));
  expect(list.all?.length).toBeGreaterThanOrEqual(100);
  expect(list.all?.find(({ id }) => id === 60)?.status).toBe('dead');
});

test('a list that no longer meets the one before begins anew', async () => {
  const list = new Deliveries(api, 7);
  await list.load(undefined);
  stored = Array.from({ length: 300 }, (_, index) => delivery(420 - index));
  await list.refresh();
  expect([ids(list)[0], list.all?.length, list.hasMore]).toEqual([420, 50, true]);
});

test('addresses name a status and ids, and nothing else counts', () => {
  const query = new URLSearchParams('status=dead&webhook=7&delivery=x');
  expect(readStatus(query)).toBe('dead');
  expect(readStatus(new URLSearchParams('status=lost'))).toBeUndefined();
  expect(readId(query, 'webhook')).toBe(7);
  expect(readId(query, 'delivery')).toBeUndefined();
  expect(readId(query, 'other')).toBeUndefined();
});

test('a delivery is sent again and is open then', async () => {
  const one = new OneDelivery(api, 5);
  await one.load();
  expect(one.open).toBe(false);
  expect(await one.sendAgain()).toBe(true);
  expect(one.open).toBe(true);
});

test('a refusal to send again stands beside the delivery', async () => {
  const one = new OneDelivery(api, 5);
  await one.load();
  failing = true;
  expect(await one.sendAgain()).toBe(false);
  expect(one.refusal).toBe('The webhook is disabled.');
  expect(one.details?.delivery.id).toBe(5);
});

test('two presses are one request', async () => {
  const one = new OneDelivery(api, 5);
  await Promise.all([one.sendAgain(), one.sendAgain()]);
  expect(asked.filter((request) => request.startsWith('POST'))).toHaveLength(1);
});

test('a delivery that is gone is missing', async () => {
  const one = new OneDelivery(api, 999);
  await one.load();
  expect([one.isMissing, one.failure]).toEqual([true, undefined]);
});
