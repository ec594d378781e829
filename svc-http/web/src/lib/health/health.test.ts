import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { Health } from './health.svelte';
import type { Visibility } from './hub-status.svelte';

const REPORT = {
  state: 'ok',
  version: '0.2.0',
  engine: 'sqlite',
  schema: 27,
  store_bytes: 1024,
  disk: { samples: [] },
  findings: [],
  nodes: [],
  workers: [],
  queues: [],
  certificates: [],
};

class StandInTab extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';

  turn(visibilityState: DocumentVisibilityState) {
    this.visibilityState = visibilityState;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let asked: number;
let respond: () => Promise<Response>;
let health: Health;
let tab: StandInTab;
let stop: () => void;

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  respond = async () => Response.json(REPORT);
  const send = (async (request: Request) => {
    expect(new URL(request.url).pathname).toBe('/api/admin/health');
    asked += 1;
    return Promise.race([respond(), aborted(request.signal)]);
  }) as typeof fetch;
  health = new Health(createApi({ fetch: send, origin: 'http://hub.test' }));
  tab = new StandInTab();
  stop = () => undefined;
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

async function watch() {
  stop = health.watch(tab as unknown as Visibility);
  await vi.advanceTimersByTimeAsync(1);
}

const refusal = async () =>
  Response.json({ code: 'admin_required', detail: 'For admins only.' }, { status: 403 });

test('the report comes with its time, and anew every 15 seconds', async () => {
  await watch();
  expect(health.report?.version).toBe('0.2.0');
  expect(health.answeredAt).toBeInstanceOf(Date);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(16_000);
  expect(asked).toBe(3);
});

test('a hidden tab asks nothing and catches up when it is shown', async () => {
  await watch();
  tab.turn('hidden');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toBe(1);
  tab.turn('visible');
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toBe(2);
  expect(health.failure).toBeUndefined();
});

test('a check by hand puts off the next one', async () => {
  await watch();
  await vi.advanceTimersByTimeAsync(10_000);
  const checking = health.refresh();
  expect(health.isRefreshing).toBe(true);
  await checking;
  expect(health.isRefreshing).toBe(false);
  expect(asked).toBe(2);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(asked).toBe(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toBe(3);
});

test('pressing twice asks once', async () => {
  await watch();
  await Promise.all([health.refresh(), health.refresh()]);
  expect(asked).toBe(2);
});

test('the last report stays when the hub is lost, with the reason, until it is back', async () => {
  await watch();
  respond = () => Promise.reject(new TypeError('refused'));
  await vi.advanceTimersByTimeAsync(15_000);
  expect(health.report?.version).toBe('0.2.0');
  expect(health.failure).toMatch(/is not responding/);
  respond = async () => Response.json({ ...REPORT, version: '0.3.0' });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(health.failure).toBeUndefined();
  expect(health.report?.version).toBe('0.3.0');
});

test('a hub that does not answer is given up after a while, and asked again', async () => {
  respond = () => new Promise(() => undefined);
  await watch();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(health.failure).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(health.failure).toMatch(/is not responding/);
  respond = async () => Response.json(REPORT);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(health.report?.version).toBe('0.2.0');
});

test('whoever is no administrator any more sees no report, and nothing more is asked', async () => {
  await watch();
  respond = refusal;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(health.isRefused).toBe(true);
  expect(health.report).toBeUndefined();
  expect(health.failure).toBeUndefined();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toBe(2);
});

test('nothing is asked after the end', async () => {
  await watch();
  stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toBe(1);
});
