import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HubStatus, type Visibility } from './hub-status.svelte';

const READY = { status: 'ready', store: { engine: 'sqlite', ok: true, error: null }, workers: [] };

/** A server whose answer to `/readyz` can be changed between checks. */
class StandInServer {
  checks = 0;
  versions = 0;
  answer: () => Promise<Response> = async () => Response.json(READY);

  fetch = (async (path: string, options?: RequestInit) => {
    if (path === '/healthz') {
      this.versions += 1;
      return Response.json({ status: 'ok', version: `0.1.${this.versions}` });
    }
    this.checks += 1;
    return Promise.race([this.answer(), aborted(options?.signal)]);
  }) as typeof fetch;
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });
}

class StandInTab extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';

  turn(visibilityState: DocumentVisibilityState) {
    this.visibilityState = visibilityState;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let server: StandInServer;
let status: HubStatus;
let tab: StandInTab;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  server = new StandInServer();
  status = new HubStatus(server.fetch);
  tab = new StandInTab();
  stop = () => undefined;
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

function watch() {
  stop = status.watch(tab as unknown as Visibility);
}

test('is loading until the first answer', async () => {
  expect(status.condition).toBe('loading');
  await status.check();
  expect(status.condition).toBe('ready');
  expect(status.version).toBe('0.1.1');
});

test('a refusal with a body is an answer', async () => {
  server.answer = async () =>
    Response.json({ status: 'unavailable', store: { ok: false, error: 'disk full' } }, { status: 503 });
  await status.check();
  expect(status.condition).toBe('unavailable');
  expect(status.reasons).toEqual(['The database is unavailable: disk full.']);
});

test('a lost server is unreachable, and the last answer is kept', async () => {
  await status.check();
  server.answer = () => Promise.reject(new TypeError('refused'));
  await status.check();
  expect(status.condition).toBe('unreachable');
  expect(status.reasons).toEqual(['The server is not responding.']);
  expect(status.readiness?.status).toBe('ready');
  expect(status.answeredAt).toBeInstanceOf(Date);
});

test('an answer from something else is told apart', async () => {
  server.answer = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  await status.check();
  expect(status.condition).toBe('unreachable');
  expect(status.reasons[0]).toContain('502');
});

test('a server that hangs is given up after four seconds', async () => {
  server.answer = () => new Promise(() => undefined);
  const check = status.check();
  await vi.advanceTimersByTimeAsync(4_000);
  await check;
  expect(status.reasons).toEqual(['The server did not respond within 4 seconds.']);
});

test('the version is asked once, and again after the hub was away', async () => {
  await status.check();
  await status.check();
  expect(server.versions).toBe(1);

  server.answer = () => Promise.reject(new TypeError('refused'));
  await status.check();
  server.answer = async () => Response.json(READY);
  await status.check();
  expect(status.version).toBe('0.1.2');
});

test('watching checks at once and every five seconds', async () => {
  watch();
  await vi.advanceTimersByTimeAsync(0);
  expect(server.checks).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.checks).toBe(3);
});

test('a hidden tab asks nothing and catches up when it is shown', async () => {
  watch();
  await vi.advanceTimersByTimeAsync(0);
  tab.turn('hidden');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.checks).toBe(1);

  tab.turn('visible');
  await vi.advanceTimersByTimeAsync(0);
  expect(server.checks).toBe(2);
});

test('hiding the tab during a check is not a failure', async () => {
  server.answer = () => new Promise(() => undefined);
  watch();
  tab.turn('hidden');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(status.condition).toBe('loading');
});

test('showing and hiding in quick succession leaves one watch', async () => {
  watch();
  tab.turn('hidden');
  tab.turn('visible');
  tab.turn('hidden');
  tab.turn('visible');
  await vi.advanceTimersByTimeAsync(0);
  const before = server.checks;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.checks).toBe(before + 1);
});

test('nothing is asked after stop', async () => {
  watch();
  await vi.advanceTimersByTimeAsync(0);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.checks).toBe(1);
});
