import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';

const ORIGIN = 'https://hub.test';
const source = readFileSync('src/lib/pwa/sw.js', 'utf8').replace('__FILES__', '[]');

interface Shown {
  title: string;
  body: string;
  tag?: string;
  renotify?: boolean;
  actions: { action: string; title: string }[];
  data: { url: string; actions: unknown[] };
}

class StandInWindow {
  readonly url: string;
  focused = false;
  visibilityState = 'hidden';
  postMessage = vi.fn();
  focus = vi.fn(async () => this);
  constructor(path: string) {
    this.url = ORIGIN + path;
  }
}

let listeners: Map<string, (event: never) => void>;
let shown: Shown[];
let windows: StandInWindow[];
let asked: { address: string; options: RequestInit & { headers: Record<string, string> } }[];
/** How the next requests are answered: a status, or lost. */
let answers: (number | 'lost')[];
let subscribed: { userVisibleOnly: boolean; applicationServerKey: unknown }[];
const openWindow = vi.fn(async () => null);

beforeEach(() => {
  listeners = new Map();
  shown = [];
  windows = [];
  asked = [];
  answers = [];
  subscribed = [];
  openWindow.mockClear();
  const send = async (address: string, options: never) => {
    asked.push({ address, options });
    const status = answers.shift() ?? 200;
    if (status === 'lost') throw new TypeError('lost');
    return new Response(status === 204 ? null : JSON.stringify({ public_key: 'BAEC' }), { status });
  };
  const worker = {
    location: { origin: ORIGIN },
    clients: { matchAll: async () => windows, openWindow },
    registration: {
      showNotification: async (title: string, options: Omit<Shown, 'title'>) =>
        void shown.push({ title, ...options }),
      pushManager: {
        subscribe: async (options: (typeof subscribed)[number]) => {
          subscribed.push(options);
          return { endpoint: 'https://push.test/2', keys: { p256dh: 'p', auth: 'a' } };
        },
      },
    },
    addEventListener: (name: string, listener: (event: never) => void) => listeners.set(name, listener),
  };
  new Function('self', 'caches', 'fetch', source)(worker, {}, send);
});

async function tell(name: string, event: object) {
  let done: Promise<unknown> = Promise.resolve();
  const waitUntil = (promise: Promise<unknown>) => (done = promise);
  listeners.get(name)?.({ ...event, waitUntil } as never);
  await done;
}

const push = (payload: unknown) =>
  tell('push', {
    data: { json: () => JSON.parse(typeof payload === 'string' ? payload : JSON.stringify(payload)) },
  });

const APPROVAL = {
  title: 'Task to approve',
  body: 'Write the manual',
  tag: 'goal-3',
  url: '/goals/3?task=5',
  actions: [
    {
      action: 'approve',
      title: 'Approve',
      request: { method: 'POST', path: '/api/goals/3/tasks/5/approve', body: null },
    },
    {
      action: 'reject',
      title: 'Reject',
      request: { method: 'POST', path: '/api/goals/3/tasks/5/cancel', body: { note: 'No' } },
    },
  ],
};

/** The notification that was shown last, as a click gets it. */
function last() {
  const { title, tag = '', data } = shown.at(-1) as Shown;
  return { title, tag, data, close: vi.fn() };
}

async function press(action: string, notification = last()) {
  await tell('notificationclick', { action, notification });
  return notification;
}

test('a push is shown with its buttons, and takes the place of the one before', async () => {
  await push(APPROVAL);
  expect(shown).toMatchObject([
    {
      title: 'Task to approve',
      body: 'Write the manual',
      tag: 'goal-3',
      renotify: true,
      actions: [
        { action: 'approve', title: 'Approve' },
        { action: 'reject', title: 'Reject' },
      ],
      data: { url: '/goals/3?task=5' },
    },
  ]);
});

test.each([
  ['no JSON', '{'],
  ['no object', '7'],
  ['nothing', 'null'],
  ['no title', '{"body":"x","tag":4,"actions":"none"}'],
])('a push with %s is shown all the same', async (_what, payload) => {
  await push(payload);
  expect(shown).toMatchObject([
    { title: 'svc', body: 'There is something new.', actions: [], data: { url: '/' } },
  ]);
  // Without a tag, browsers refuse to renotify.
  expect(shown[0]).not.toHaveProperty('renotify');
});

test('a push without data is shown all the same', async () => {
  await tell('push', { data: null });
  expect(shown).toHaveLength(1);
});

test.each(['https://elsewhere.test/x', '//elsewhere.test/x', '/login', '/api/x', 'javascript:alert(1)'])(
  'a notification leads to the program, never to %s',
  async (url) => {
    await push({ ...APPROVAL, url });
    expect(shown[0]?.data.url).toBe('/');
  },
);

test.each([
  'https://elsewhere.test/api/x',
  '//elsewhere.test/api/',
  '/auth/logout',
  '/api/../auth/logout',
  7,
])('a button never asks %s', async (path) => {
  const request = { method: 'POST', path, body: null };
  await push({ ...APPROVAL, actions: [{ action: 'approve', title: 'Approve', request }] });
  expect(shown[0]?.actions).toEqual([]);
});

test('more buttons than two, and broken ones, are left out', async () => {
  await push({ ...APPROVAL, actions: [null, {}, ...APPROVAL.actions, ...APPROVAL.actions] });
  expect(shown[0]?.actions.map(({ action }) => action)).toEqual(['approve', 'reject']);
});

test('a click goes there in the window that is open, rather the one that is seen', async () => {
  const [hidden, seen] = [new StandInWindow('/'), new StandInWindow('/c/general')];
  seen.visibilityState = 'visible';
  windows = [new StandInWindow('/login'), hidden, seen];
  await push(APPROVAL);
  const notification = await press('');
  expect(notification.close).toHaveBeenCalled();
  expect(seen.postMessage).toHaveBeenCalledWith({ kind: 'open', url: '/goals/3?task=5' });
  expect(seen.focus).toHaveBeenCalled();
  expect(hidden.postMessage).not.toHaveBeenCalled();
  expect(openWindow).not.toHaveBeenCalled();
});

test('a window that may not be focused still goes there', async () => {
  const window = new StandInWindow('/');
  window.focus.mockRejectedValue(new Error('not allowed'));
  windows = [window];
  await push(APPROVAL);
  await press('');
  expect(window.postMessage).toHaveBeenCalled();
});

test('a click without a window of the program opens one', async () => {
  windows = [new StandInWindow('/login?next=%2F')];
  await push(APPROVAL);
  await press('');
  expect(openWindow).toHaveBeenCalledWith('/goals/3?task=5');
});

test('a button sends its request once, and closes the notification', async () => {
  await push(APPROVAL);
  const notification = await press('reject');
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    address: `${ORIGIN}/api/goals/3/tasks/5/cancel`,
    options: { method: 'POST', credentials: 'same-origin', body: '{"note":"No"}' },
  });
  expect(asked[0]?.options.headers['Content-Type']).toBe('application/json');
  expect(notification.close).toHaveBeenCalled();
  expect(shown).toHaveLength(1);
  expect(openWindow).not.toHaveBeenCalled();
});

test('a request without a body has no type of one', async () => {
  await push(APPROVAL);
  await press('approve');
  expect(asked[0]?.options).not.toHaveProperty('body');
  expect(asked[0]?.options.headers).not.toHaveProperty('Content-Type');
});

test('a request that got lost is sent once more, under the same key', async () => {
  answers = ['lost', 204];
  await push(APPROVAL);
  const notification = await press('approve');
  const keys = asked.map(({ options }) => options.headers['Idempotency-Key']);
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(keys[0]).toMatch(/^[\x21-\x7e]{1,128}$/);
  expect(notification.close).toHaveBeenCalled();
  expect(shown).toHaveLength(1);
  await press('reject');
  expect(asked[2]?.options.headers['Idempotency-Key']).not.toBe(keys[0]);
});

test.each([
  [409, 'approve', 'Already decided'],
  [401, 'approve', 'Log in to do this'],
  [503, 'approve', 'Could not approve'],
  [404, 'reject', 'Could not reject'],
] as const)('the answer %d to %s is told: %s', async (status, action, body) => {
  answers = [status];
  await push(APPROVAL);
  await press(action);
  expect(shown[1]).toMatchObject({
    title: 'Task to approve',
    body,
    tag: 'goal-3',
    actions: [],
    data: { url: '/goals/3?task=5' },
  });
});

test('a request that gets lost twice is told, and not sent a third time', async () => {
  answers = ['lost', 'lost'];
  await push(APPROVAL);
  await press('approve');
  expect(asked).toHaveLength(2);
  expect(shown[1]?.body).toBe('Could not approve');
});

test('a subscription that the browser has ended is made again with the key of the server', async () => {
  await tell('pushsubscriptionchange', { oldSubscription: null, newSubscription: null });
  expect(subscribed).toEqual([{ userVisibleOnly: true, applicationServerKey: 'BAEC' }]);
  expect(asked.map(({ address }) => address)).toEqual(['/api/push/vapid-key', '/api/push/subscriptions']);
  expect(JSON.parse(String(asked[1]?.options.body))).toEqual({
    endpoint: 'https://push.test/2',
    keys: { p256dh: 'p', auth: 'a' },
  });
});

test('without an answer the old key is used, and one that the browser made is taken as it is', async () => {
  answers = ['lost'];
  await tell('pushsubscriptionchange', { oldSubscription: { options: { applicationServerKey: 'old' } } });
  expect(subscribed).toMatchObject([{ applicationServerKey: 'old' }]);
  await tell('pushsubscriptionchange', { newSubscription: { endpoint: 'https://push.test/3' } });
  expect(subscribed).toHaveLength(1);
  expect(asked.at(-1)?.options.body).toBe('{"endpoint":"https://push.test/3"}');
});

test('a renewal that fails is quiet', async () => {
  answers = ['lost', 'lost'];
  await tell('pushsubscriptionchange', { newSubscription: { endpoint: 'https://push.test/3' } });
  expect(shown).toEqual([]);
});
