import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { ConnectionWatch, howSeen } from './connection.svelte';

class StandInPage extends EventTarget {
  hidden = false;

  show(visible: boolean) {
    this.hidden = !visible;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let respond: () => Response;
let asked: number;
let page: StandInPage;
let watch: ConnectionWatch;
let stop: () => void;

const never = () => Response.json({ agent: 'bot', connected: false, hint: 'Let it call.' });
const seen = () =>
  Response.json({
    agent: 'bot',
    connected: true,
    surface: 'mcp',
    client: 'loom/3',
    at: '2026-11-15T02:00:00.000Z',
  });

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  respond = never;
  page = new StandInPage();
  const send = (async (request: Request) => {
    expect(`${request.method} ${new URL(request.url).pathname}`).toBe('POST /api/agents/bot/connection-test');
    asked += 1;
    return respond();
  }) as typeof fetch;
  watch = new ConnectionWatch(createApi({ fetch: send, origin: 'http://hub.test' }), 'bot');
  stop = watch.watch(page as never);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('waits for the first call and turns green with it', async () => {
  expect(watch.state).toBe('asking');
  await vi.advanceTimersByTimeAsync(1);
  expect(watch.state).toBe('waiting');
  expect(watch.connection?.hint).toBe('Let it call.');
  respond = seen;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(watch.state).toBe('connected');
});

test('asks no more once the agent is there', async () => {
  respond = seen;
  await vi.advanceTimersByTimeAsync(2_001);
  expect(watch.state).toBe('connected');
  const before = asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(before);
});

test('asks less often after a while, and not at all in a hidden tab', async () => {
  await vi.advanceTimersByTimeAsync(100_000);
  const before = asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked - before).toBe(12);
  page.show(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked - before).toBeLessThanOrEqual(13);
  const hidden = asked;
  page.show(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toBe(hidden + 1);
});

test('gives up after ten minutes, until it is asked again', async () => {
  await vi.advanceTimersByTimeAsync(660_000);
  expect(watch.isResting).toBe(true);
  const before = asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(before);
  respond = seen;
  watch.again();
  await vi.advanceTimersByTimeAsync(1);
  expect([watch.state, watch.isResting]).toEqual(['connected', false]);
});

test('an agent that was there once is quiet, not new', async () => {
  respond = () => Response.json({ agent: 'bot', connected: false, at: '2026-11-15T02:00:00.000Z' });
  await vi.advanceTimersByTimeAsync(2_001);
  expect(watch.state).toBe('quiet');
});

test('a failed question is told and asked again', async () => {
  respond = () => Response.json({ detail: 'Too many.' }, { status: 429 });
  await vi.advanceTimersByTimeAsync(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(watch.failure).toMatch(/Too many/);
  respond = seen;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(watch.failure).toBeUndefined();
  expect(watch.state).toBe('connected');
});

test('how it was seen is told as far as it is known', () => {
  expect(howSeen({ agent: 'bot', connected: true, surface: 'mcp', client: 'loom/3' })).toBe(
    'over MCP, as loom/3',
  );
  expect(howSeen({ agent: 'bot', connected: true })).toBe('');
});
