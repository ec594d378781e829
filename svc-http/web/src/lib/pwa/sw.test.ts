import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';

const ORIGIN = 'https://hub.test';
const source = readFileSync('src/lib/pwa/sw.js', 'utf8')
  .replace('__BUILD__', 'b2')
  .replace('__FILES__', JSON.stringify(['/', '/theme.js', '/assets/index-1.js']));

let kept: Map<string, Map<string, Response>>;
let listeners: Map<string, (event: never) => void>;
let online: boolean;
const skipWaiting = vi.fn();
const fetched: string[] = [];

const address = (request: Request | string) =>
  new URL(typeof request === 'string' ? request : request.url, ORIGIN).pathname;

class StandInRequest {
  readonly url: string;
  readonly method: string;
  readonly mode: string;
  constructor(path: string, { method = 'GET', mode = 'cors' }: { method?: string; mode?: string } = {}) {
    this.url = new URL(path, ORIGIN).href;
    this.method = method;
    this.mode = mode;
  }
}

beforeEach(() => {
  kept = new Map([
    ['svc-b1', new Map()],
    ['other', new Map()],
  ]);
  listeners = new Map();
  online = true;
  fetched.length = 0;
  const get = async (request: Request) => {
    fetched.push(address(request));
    if (!online) throw new TypeError('lost');
    return new Response(`network ${address(request)}`);
  };
  const caches = {
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
    open: async (name: string) => {
      const cache = kept.get(name) ?? new Map<string, Response>();
      kept.set(name, cache);
      return {
        addAll: async (requests: Request[]) => {
          for (const request of requests)
            cache.set(address(request), new Response(`kept ${address(request)}`));
        },
        match: async (request: Request | string) => cache.get(address(request))?.clone(),
        put: async (request: Request, response: Response) => void cache.set(address(request), response),
      };
    },
  };
  const worker = {
    location: { origin: ORIGIN },
    skipWaiting,
    addEventListener: (name: string, listener: (event: never) => void) => listeners.set(name, listener),
  };
  new Function('self', 'caches', 'fetch', 'Request', source)(worker, caches, get, StandInRequest);
});

async function wait(name: string) {
  let done: Promise<unknown> = Promise.resolve();
  listeners.get(name)?.({ waitUntil: (promise: Promise<unknown>) => (done = promise) } as never);
  await done;
}

/** What the worker answers; nothing when it leaves the request to the browser. */
async function answerTo(path: string, options: { method?: string; mode?: string } = {}) {
  let answer: Promise<Response> | undefined;
  const event = {
    request: new StandInRequest(path, options),
    respondWith: (promise: Promise<Response>) => (answer = promise),
  };
  listeners.get('fetch')?.(event as never);
  return answer === undefined ? undefined : (await answer).text();
}

test.each(['/api/channels', '/auth/me', '/login', '/oauth/authorize', '/openapi.json', '/mcp', '/readyz'])(
  '%s is never touched',
  async (path) => {
    await wait('install');
    expect(await answerTo(path)).toBeUndefined();
    expect(await answerTo(path, { mode: 'navigate' })).toBeUndefined();
  },
);

test('what changes something, or is elsewhere, is never touched', async () => {
  expect(await answerTo('/', { method: 'POST', mode: 'navigate' })).toBeUndefined();
  expect(await answerTo('https://elsewhere.test/assets/index-1.js')).toBeUndefined();
});

test('pages come from the server, and from the cache without a connection', async () => {
  await wait('install');
  expect(await answerTo('/c/general?m=3', { mode: 'navigate' })).toBe('network /c/general');
  online = false;
  expect(await answerTo('/c/general?m=3', { mode: 'navigate' })).toBe('kept /');
  expect(await answerTo('/theme.js')).toBe('kept /theme.js');
});

test('assets are asked for once', async () => {
  await wait('install');
  expect(await answerTo('/assets/index-1.js')).toBe('kept /assets/index-1.js');
  expect(await answerTo('/assets/late-2.js')).toBe('network /assets/late-2.js');
  online = false;
  expect(await answerTo('/assets/late-2.js')).toBe('network /assets/late-2.js');
  expect(fetched).toEqual(['/assets/late-2.js']);
});

test('a new build takes the place of the one before, and of nothing else', async () => {
  await wait('install');
  await wait('activate');
  expect([...kept.keys()].sort()).toEqual(['other', 'svc-b2']);
});

test('it waits until the person agrees', async () => {
  await wait('install');
  expect(skipWaiting).not.toHaveBeenCalled();
  listeners.get('message')?.({ data: 'activate' } as never);
  expect(skipWaiting).toHaveBeenCalledTimes(1);
});
