import { beforeEach, expect, test, vi } from 'vitest';
import { withEarly } from './early';

vi.stubGlobal('location', { origin: 'http://hub.test' });

const late = vi.fn(async () => new Response('late'));
let early: Map<string, Promise<Response>>;
let now = 0;
let send: typeof fetch;

beforeEach(() => {
  late.mockClear();
  now = 1_000;
  early = new Map([['/auth/me', Promise.resolve(new Response('early'))]]);
  send = withEarly(late as typeof fetch, early, () => now);
});

const textOf = async (answer: Promise<Response>) => (await answer).text();

test('what was asked for early is not asked for again, but once', async () => {
  early.set('/api/x', Promise.resolve(new Response('early')));
  expect(await textOf(send('/api/x', { cache: 'no-store' }))).toBe('early');
  expect(late).not.toHaveBeenCalled();
  expect(await textOf(send('/api/x'))).toBe('late');
});

test('who is logged in may be asked twice', async () => {
  expect(await textOf(send('/auth/me'))).toBe('early');
  expect(await textOf(send('/auth/me'))).toBe('early');
  expect(await textOf(send('/auth/me'))).toBe('late');
});

test('that nobody is logged in is said once: the next question may come after a login', async () => {
  early.set('/auth/me', Promise.resolve(new Response('nobody', { status: 401 })));
  expect(await textOf(send('/auth/me'))).toBe('nobody');
  expect(await textOf(send('/auth/me'))).toBe('late');
});

test('a request with the whole address is the same question', async () => {
  expect(await textOf(send(new Request('http://hub.test/auth/me')))).toBe('early');
});

test('a change is never answered early', async () => {
  expect(await textOf(send('/auth/me', { method: 'PATCH' }))).toBe('late');
  expect(await textOf(send(new Request('http://hub.test/auth/me', { method: 'PATCH' })))).toBe('late');
});

test('other addresses and other servers go their way', async () => {
  expect(await textOf(send('/auth/me?x=1'))).toBe('late');
  expect(await textOf(send(new Request('http://other.test/auth/me')))).toBe('late');
});

test('an answer from long ago is outdated', async () => {
  now = 60_000;
  expect(await textOf(send('/auth/me'))).toBe('late');
});

test('what failed early is tried again', async () => {
  early.set('/api/x', Promise.reject(new TypeError('no connection')));
  expect(await textOf(send('/api/x'))).toBe('late');
});

test('without early answers everything is asked for', async () => {
  const plain = withEarly(late as typeof fetch, undefined);
  expect(await textOf(plain('/auth/me'))).toBe('late');
});
