import { beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { keyBytes } from './key';
import { ThisDevice } from './this-device';

interface StandInSubscription {
  options: { applicationServerKey: ArrayBuffer };
  toJSON: () => object;
  unsubscribe: () => Promise<boolean>;
}

let key: string;
let permission: NotificationPermission;
let subscription: StandInSubscription | null;
let posted: { endpoint: string; device: string }[];
let kept: Map<string, string>;
let refusal: Error | undefined;
let made: number;
let session: number;
let device: ThisDevice;
const register = vi.fn();

function make(applicationServerKey: Uint8Array<ArrayBuffer>): StandInSubscription {
  made += 1;
  const endpoint = `https://push.test/${made}`;
  return {
    options: { applicationServerKey: applicationServerKey.buffer },
    toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => {
      subscription = null;
      return true;
    },
  };
}

beforeEach(() => {
  key = 'BAEC';
  permission = 'granted';
  subscription = null;
  posted = [];
  kept = new Map();
  refusal = undefined;
  made = 0;
  session = 3;
  const send = (async (request: Request) => {
    if (request.url.endsWith('/auth/sessions'))
      return Response.json({ sessions: [{ id: 1 }, { id: session, current: true }], total: 2 });
    if (request.method === 'GET') return Response.json({ public_key: key });
    posted.push(await request.json());
    return Response.json({ id: 7 }, { status: 201 });
  }) as typeof fetch;
  const registration = {
    pushManager: {
      getSubscription: async () => subscription,
      subscribe: async (options: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
        if (refusal) throw refusal;
        return (subscription ??= make(options.applicationServerKey));
      },
    },
  };
  register.mockReset().mockResolvedValue(registration);
  let isInstalled = false;
  device = new ThisDevice(createApi({ fetch: send, origin: 'http://hub.test' }), {
    container: {
      getRegistration: async () => (isInstalled ? registration : undefined),
      register: async (address: string) => {
        isInstalled = true;
        return register(address);
      },
      ready: Promise.resolve(registration),
    } as never,
    requestPermission: async () => permission,
    storage: () => ({
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    }),
    device: 'Chrome on Linux',
  });
});

test('it subscribes with the key of the server, and tells the server under a name', async () => {
  expect(await device.isSubscribed('ada')).toBe(false);
  expect((await device.subscribe('ada')).id).toBe(7);
  expect(register).toHaveBeenCalledWith('/sw.js');
  expect(posted).toMatchObject([
    { endpoint: 'https://push.test/1', keys: { p256dh: 'p', auth: 'a' }, device: 'Chrome on Linux' },
  ]);
  expect(await device.isSubscribed('ada')).toBe(true);
  expect(await device.isSubscribed('eve')).toBe(false);
});

test('without permission nothing is made', async () => {
  permission = 'denied';
  await expect(device.subscribe('ada')).rejects.toThrow(/not allowed/);
  expect(subscription).toBeNull();
  expect(posted).toEqual([]);
});

test('a push service that cannot be reached is told', async () => {
  refusal = new Error('push service not available');
  await expect(device.subscribe('ada')).rejects.toThrow(/push service not available/);
  expect(await device.isSubscribed('ada')).toBe(false);
});

test('a browser that installs no service worker is told', async () => {
  register.mockRejectedValue(new Error('no'));
  await expect(device.subscribe('ada')).rejects.toThrow(/service worker/);
});

test('after another key of the server the subscription is made anew', async () => {
  await device.subscribe('ada');
  key = 'BAED';
  await device.refresh('ada', async () => true);
  expect(posted.map(({ endpoint }) => endpoint)).toEqual(['https://push.test/1', 'https://push.test/2']);
  expect(subscription?.options.applicationServerKey).toEqual(keyBytes('BAED').buffer);
});

test('a subscription that the server knows is left alone, and after another login it is told again', async () => {
  await device.subscribe('ada');
  await device.refresh('ada', async () => true);
  expect(posted).toHaveLength(1);
  session = 4;
  await device.refresh('ada', async () => false);
  expect(posted.map(({ endpoint }) => endpoint)).toEqual(['https://push.test/1', 'https://push.test/1']);
});

test('a subscription that was removed elsewhere stays removed', async () => {
  await device.subscribe('ada');
  await device.refresh('ada', async () => false);
  expect(subscription).toBeNull();
  expect(posted).toHaveLength(1);
  expect(await device.isSubscribed('ada')).toBe(false);
});

test('the subscription of somebody else is ended', async () => {
  await device.subscribe('ada');
  await device.refresh('eve', async () => false);
  expect(subscription).toBeNull();
  expect(kept.size).toBe(0);
  expect(posted).toHaveLength(1);
});

test('it ends', async () => {
  await device.subscribe('ada');
  await device.unsubscribe();
  expect(subscription).toBeNull();
  expect(await device.isSubscribed('ada')).toBe(false);
});
