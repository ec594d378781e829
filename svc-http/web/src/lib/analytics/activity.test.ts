import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { Activity } from './activity.svelte';
import { readSpan } from './spans';

let asked: string[];
let heard: (() => void) | undefined;
let activity: Activity;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  const send = (async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    asked.push(`${pathname.split('/').at(-1)} ${searchParams.get('span')}`);
    if (pathname.endsWith('timeline')) {
      const buckets = [
        { start: '2026-03-01T10:00:00.000Z', sent: 2, received: 1 },
        { start: '2026-03-01T11:00:00.000Z', sent: 0, received: 4 },
      ];
      return Response.json({ span: searchParams.get('span'), bucket_seconds: 3_600, buckets });
    }
    return Response.json({ agents: [], channels: [] });
  }) as typeof fetch;
  const live = {
    on: (_name: string, listener: () => void) => {
      heard = listener;
      return () => {
        heard = undefined;
      };
    },
  };
  activity = new Activity(createApi({ fetch: send, origin: 'http://hub.test' }), live as never, 5);
  stop = activity.watch({ visibilityState: 'visible' });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('the buckets become lines over time', async () => {
  activity.show('7d');
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['timeline 7d', 'top-agents 7d', 'top-channels 7d']);
  expect(activity.times).toEqual([1772359200, 1772362800]);
  expect(activity.series.map(({ title, values }) => [title, values])).toEqual([
    ['Sent', [2, 0]],
    ['Received', [1, 4]],
  ]);
  expect(activity.total).toBe(7);
});

test('messages in a row are one question, and none after the end', async () => {
  activity.show('1h');
  await vi.advanceTimersByTimeAsync(1);
  asked.length = 0;
  for (let count = 0; count < 50; count += 1) heard?.();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked.filter((question) => question.startsWith('timeline'))).toHaveLength(1);
  heard?.();
  stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toHaveLength(3);
});

test('time passes without messages', async () => {
  activity.show('1h');
  await vi.advanceTimersByTimeAsync(60_001);
  expect(asked.filter((question) => question === 'timeline 1h')).toHaveLength(2);
});

test.each([
  ['30d', '30d'],
  ['2y', '24h'],
  [null, '24h'],
])('the address %s shows %s', (text, span) => expect(readSpan(text)).toBe(span));
