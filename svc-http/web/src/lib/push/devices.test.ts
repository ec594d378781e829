import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import { Devices, pushReason } from './devices.svelte';
import type { Support } from './support';
import { Refused } from './this-device';

let items: { id: number; current: boolean }[];
let support: Support;
let isSubscribed: boolean;
let refusal: Error | undefined;
let stubborn: boolean;
let devices: Devices;

beforeEach(() => {
  items = [{ id: 1, current: false }];
  support = 'ready';
  isSubscribed = false;
  refusal = undefined;
  stubborn = false;
  const send = (async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/push/test') return Response.json({ queued: items.length }, { status: 202 });
    if (request.method === 'GET') return Response.json({ items, max: 20 });
    if (stubborn) return Response.json({ detail: 'Not now.' }, { status: 503 });
    const id = Number(pathname.split('/').at(-1));
    if (!items.some((one) => one.id === id)) return Response.json({}, { status: 404 });
    items = items.filter((one) => one.id !== id);
    return new Response(null, { status: 204 });
  }) as typeof fetch;
  const device = {
    isSubscribed: async () => isSubscribed,
    subscribe: async () => {
      if (refusal) throw refusal;
      isSubscribed = true;
      items = [...items, { id: 9, current: true }];
      return items[0] as never;
    },
    unsubscribe: async () => void (isSubscribed = false),
  };
  devices = new Devices(createApi({ fetch: send, origin: 'http://hub.test' }), device, () => support);
});

const others = () => devices.others.map(({ id }) => id);

test('this device is the one that the browser and the server both have', async () => {
  await devices.load('ada');
  expect([devices.current, others()]).toEqual([undefined, [1]]);
  await devices.turnOn('ada');
  expect([devices.current?.id, others()]).toEqual([9, [1]]);
  // The browser has lost it: the server lists it still, and it can be removed.
  isSubscribed = false;
  await devices.load('ada');
  expect([devices.current, others()]).toEqual([undefined, [1, 9]]);
});

test('one that was renewed is listed twice, and the newer one is this device', async () => {
  items = [
    { id: 4, current: true },
    { id: 6, current: true },
  ];
  isSubscribed = true;
  await devices.load('ada');
  expect([devices.current?.id, others()]).toEqual([6, [4]]);
});

test('it is turned off in the browser and on the server', async () => {
  await devices.turnOn('ada');
  await devices.turnOff('ada');
  expect(isSubscribed).toBe(false);
  expect(items.map(({ id }) => id)).toEqual([1]);
  expect(devices.busy).toBe(false);
});

test('what the browser refuses is told, and a permission that was denied shows', async () => {
  await devices.load('ada');
  refusal = new Refused('Notifications were not allowed.');
  support = 'denied';
  const reason = await devices.turnOn('ada').catch(pushReason);
  expect(reason).toBe('Notifications were not allowed.');
  expect(devices.support).toBe('denied');
  expect([devices.current, devices.busy]).toEqual([undefined, false]);
});

test('another device is removed; one that is gone already is no failure', async () => {
  await devices.load('ada');
  await devices.remove('ada', 1);
  expect(others()).toEqual([]);
  await expect(devices.remove('ada', 1)).resolves.toBeUndefined();
  items = [{ id: 2, current: false }];
  stubborn = true;
  await expect(devices.remove('ada', 2)).rejects.toThrow('Not now.');
  expect(others()).toEqual([2]);
});

test('a test goes to all devices', async () => {
  expect(await devices.test()).toBe(1);
});
