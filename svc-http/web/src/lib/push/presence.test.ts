import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { TabPresence } from './presence';

class StandInDocument extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';
  show(state: DocumentVisibilityState) {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

class StandInWindow extends EventTarget {
  document = new StandInDocument();
}

let said: boolean[];
let pages: Set<string>;
let browser: StandInWindow;
let presence: TabPresence;

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
  pages = new Set();
  browser = new StandInWindow();
  const send = (async (request: Request) => {
    expect([request.method, new URL(request.url).pathname, request.keepalive]).toEqual([
      'PUT',
      '/api/presence',
      true,
    ]);
    const { visible, page } = await request.json();
    said.push(visible);
    pages.add(page);
    return new Response(null, { status: 204 });
  }) as typeof fetch;
  presence = new TabPresence(createApi({ fetch: send, origin: 'http://hub.test' }), browser as never);
});

afterEach(() => vi.useRealTimers());

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

test('a visible tab says so at once and every thirty seconds, under one name', async () => {
  presence.start();
  await pass(0);
  expect(said).toEqual([true]);
  await pass(61);
  expect(said).toEqual([true, true, true]);
  expect([...pages][0]).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(pages.size).toBe(1);
});

test('a hidden tab says so once, and is silent until it is seen again', async () => {
  presence.start();
  browser.document.show('hidden');
  browser.dispatchEvent(new Event('pagehide'));
  await pass(100);
  expect(said).toEqual([true, false]);
  browser.document.show('visible');
  await pass(0);
  expect(said).toEqual([true, false, true]);
});

test('a tab that was opened in the background says nothing', async () => {
  browser.document.visibilityState = 'hidden';
  presence.start();
  await pass(100);
  expect(said).toEqual([]);
});

test('nothing is said after the logout', async () => {
  const stop = presence.start();
  await pass(0);
  presence.withdraw();
  stop();
  browser.document.show('hidden');
  browser.document.show('visible');
  await pass(100);
  expect(said).toEqual([true, false]);
});

test('a logout that failed goes on', async () => {
  presence.start();
  presence.withdraw();
  presence.look();
  await pass(31);
  expect(said).toEqual([true, false, true, true]);
});
