import { beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { Outbox, type Letter, type LetterStorage } from './outbox.svelte';
import { message } from './sample';

const PLACE = { kind: 'channel', name: 'general' } as const;
const LETTER: Letter = {
  place: PLACE,
  body: 'hello',
  subject: '',
  priority: 5,
  replyTo: undefined,
  files: [],
};

let respond: (request: Request) => Response | Promise<Response>;
let requests: { key: string | null; body: unknown }[];
let entries: Map<string, string>;
const stored = vi.fn();

const no = (): boolean => false;

function open({ isHeld = no, isLoggedOut = no, storage = map } = {}) {
  const send = (async (request: Request) => {
    requests.push({ key: request.headers.get('idempotency-key'), body: await request.clone().json() });
    return respond(request);
  }) as typeof fetch;
  return new Outbox({
    api: createApi({ fetch: send, origin: 'http://hub.test' }),
    who: 'ada',
    storage,
    isHeld,
    isLoggedOut,
    stored,
  });
}

const map = (): LetterStorage => ({
  getItem: (key) => entries.get(key) ?? null,
  setItem: (key, value) => void entries.set(key, value),
  removeItem: (key) => void entries.delete(key),
  key: (index) => [...entries.keys()][index] ?? null,
  get length() {
    return entries.size;
  },
});

beforeEach(() => {
  stored.mockClear();
  requests = [];
  entries = new Map();
  respond = () => Response.json(message(7, { body: 'hello' }), { status: 201 });
});

test('a message is on its way at once and gone when it is stored', async () => {
  const outbox = open();
  const sending = outbox.send(LETTER);
  expect(outbox.of(PLACE)).toMatchObject([{ state: 'sending', body: 'hello' }]);
  expect(await sending).toBe(true);
  expect(outbox.all).toEqual([]);
  expect(stored.mock.calls[0]?.[0]).toMatchObject({ id: 7 });
  expect(requests[0]?.body).toEqual({ channel: 'general', body: 'hello' });
  expect(entries.size).toBe(0);
});

test('a refused message stays with its reason and is not tried by itself', async () => {
  respond = () => Response.json({ code: 'archived', detail: 'The channel is archived.' }, { status: 409 });
  const outbox = open();
  expect(await outbox.send(LETTER)).toBe(false);
  await outbox.retryLost();
  expect(requests).toHaveLength(1);
  expect(outbox.all).toMatchObject([{ state: 'failed', reason: 'The channel is archived.' }]);
});

test('what did not reach the server is tried again, under the same key', async () => {
  respond = () => Promise.reject(new TypeError('lost'));
  const outbox = open();
  await outbox.send(LETTER);
  expect(outbox.all).toMatchObject([{ state: 'failed', isLost: true }]);
  respond = () => Response.json(message(7), { status: 201 });
  await outbox.retryLost();
  expect(outbox.all).toEqual([]);
  expect(requests[0]?.key).toMatch(/.{32}/);
  expect(requests[1]?.key).toBe(requests[0]?.key);
});

test('messages written offline arrive in order', async () => {
  respond = () => Promise.reject(new TypeError('lost'));
  const outbox = open();
  await outbox.send({ ...LETTER, body: 'one' });
  await outbox.send({ ...LETTER, body: 'two' });
  requests = [];
  respond = () => Response.json(message(7), { status: 201 });
  await outbox.retryLost();
  expect(requests.map(({ body }) => body)).toMatchObject([{ body: 'one' }, { body: 'two' }]);
});

test('what was unsent is there after a reload, under its key', async () => {
  respond = () => Promise.reject(new TypeError('lost'));
  await open().send(LETTER);
  const again = open();
  expect(again.of(PLACE)).toMatchObject([{ state: 'failed', body: 'hello' }]);
  respond = () => Response.json(message(7), { status: 201 });
  await again.retry(again.all[0]?.key ?? '');
  expect(requests[1]?.key).toBe(requests[0]?.key);
});

test('an ended login says what to do', async () => {
  respond = () => Response.json({ code: 'unauthorized' }, { status: 401 });
  const outbox = open();
  await outbox.send(LETTER);
  expect(outbox.all[0]?.reason).toMatch(/Log in again/);
});

test('all that belongs to a message is sent', async () => {
  const outbox = open();
  const file = { hash: 'abc', filename: 'a.txt', size: 1, mime_type: 'text/plain', is_image: false };
  await outbox.send({
    place: { kind: 'dm', name: 'bot' },
    body: 'do it',
    subject: 'Build',
    priority: 9,
    replyTo: 3,
    files: [file],
  });
  expect(requests[0]?.body).toEqual({
    to: 'bot',
    subject: 'Build',
    priority: 9,
    reply_to: 3,
    attachments: ['abc'],
    body: 'do it',
  });
});

test('threads and places are kept apart; what is taken out is gone', async () => {
  respond = () => Promise.reject(new TypeError('lost'));
  const outbox = open();
  await outbox.send({ ...LETTER, replyTo: 3 });
  expect(outbox.of(PLACE)).toEqual([]);
  expect(outbox.of({ kind: 'dm', name: 'general' }, 3)).toEqual([]);
  const [letter] = outbox.of(PLACE, 3);
  expect(outbox.take(letter?.key ?? '')?.body).toBe('hello');
  expect(outbox.all).toEqual([]);
});

test('a server that was away for a moment is tried again by itself', async () => {
  vi.useFakeTimers();
  respond = () => new Response('bad gateway', { status: 502 });
  const outbox = open();
  await outbox.send(LETTER);
  respond = () => Response.json(message(7), { status: 201 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(outbox.all).toEqual([]);
  vi.useRealTimers();
});

test('nothing is sent in the name of somebody who may not be here; it goes when that is known', async () => {
  let isHeld = true;
  const outbox = open({ isHeld: () => isHeld });
  expect(await outbox.send(LETTER)).toBe(false);
  await outbox.retryLost();
  expect(requests).toEqual([]);
  expect(outbox.all).toMatchObject([{ isLost: true, reason: expect.stringMatching(/is sent when/) }]);
  isHeld = false;
  await outbox.retryLost();
  expect(requests).toHaveLength(1);
  expect(outbox.all).toEqual([]);
});

test('after a new login what the old one could not send goes by itself', async () => {
  respond = () => Response.json({ code: 'unauthorized' }, { status: 401 });
  await open().send(LETTER);
  respond = () => Response.json(message(7), { status: 201 });
  const again = open();
  await again.retryLost();
  expect(again.all).toEqual([]);
});

test('while nobody is logged in nothing is tried by itself', async () => {
  let isLoggedOut = false;
  respond = () => Response.json({ code: 'unauthorized' }, { status: 401 });
  const outbox = open({ isLoggedOut: () => isLoggedOut });
  await outbox.send(LETTER);
  isLoggedOut = true;
  await outbox.retryLost();
  expect(requests).toHaveLength(1);
  expect(outbox.all[0]?.reason).toMatch(/Log in again/);
});

test('what was left from before is tried although no stream greets', async () => {
  respond = () => Promise.reject(new TypeError('lost'));
  await open().send(LETTER);
  vi.useFakeTimers();
  respond = () => Response.json(message(7), { status: 201 });
  const again = open();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(again.all).toEqual([]);
  vi.useRealTimers();
});

test('letters of somebody whose handle begins alike are left alone', async () => {
  respond = () => Promise.reject(new TypeError('lost'));
  await open().send(LETTER);
  const [[name, letter] = ['', '']] = [...entries];
  const other = name.replace('.ada.', '.ada.b.');
  entries = new Map([[other, letter]]);
  const outbox = open();
  outbox.storedElsewhere({ key: other, newValue: letter });
  expect(outbox.all).toEqual([]);
});

test('without storage messages are sent, and kept as long as the page', async () => {
  const storage = () => {
    throw new DOMException('forbidden', 'SecurityError');
  };
  const outbox = open({ storage });
  respond = () => Promise.reject(new TypeError('lost'));
  await outbox.send(LETTER);
  respond = () => Response.json(message(7), { status: 201 });
  await outbox.retryLost();
  expect(requests).toHaveLength(2);
  expect(outbox.all).toEqual([]);
});
