import { beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import type { LiveName } from '../live/events';
import { message } from '../messages/sample';
import { Pins, type Pin } from './pins.svelte';

const listeners = new Map<string, (event: never) => void>();
const live = {
  on: (name: LiveName, listener: (event: never) => void) => {
    listeners.set(name, listener);
    return () => listeners.delete(name);
  },
};
const tell = (name: LiveName, event: object) => listeners.get(name)?.(event as never);
const pin = (id: number): Pin => ({
  id,
  message: message(id + 100),
  pinned_by: 'ada',
  pinned_at: '2026-01-01T00:00:00.000Z',
});

let stored: Pin[];
let asked: string[];
let pins: Pins;

beforeEach(async () => {
  stored = [pin(3), pin(2)];
  asked = [];
  const send = (async (request: Request) => {
    const url = new URL(request.url);
    asked.push(`${request.method} ${url.pathname}${url.search}`);
    if (request.method === 'DELETE') return new Response(null, { status: 204 });
    if (request.method === 'PUT') return Response.json(pin(4));
    const before = Number(url.searchParams.get('before') ?? Number.MAX_SAFE_INTEGER);
    const rest = stored.filter(({ id }) => id < before);
    return Response.json({ pins: rest.slice(0, 200), has_more: rest.length > 200 });
  }) as typeof fetch;
  const place = { kind: 'channel', name: 'general' } as const;
  pins = new Pins(createApi({ fetch: send, origin: 'http://hub.test' }), live as never, place);
  const stop = pins.start();
  await vi.waitFor(() => expect(pins.all).toBeDefined());
  return stop;
});

test('the pins of a channel are loaded and found by their message', () => {
  expect(asked).toEqual(['GET /api/pins?channel=general&limit=200']);
  expect(pins.of(103)?.id).toBe(3);
  expect(pins.of(104)).toBeUndefined();
});

test('a change here is followed, one elsewhere asks nothing', async () => {
  tell('message_pinned', { message_id: 9, channel: 'other' });
  tell('message_edited', { message_id: 9 });
  expect(asked).toHaveLength(1);
  stored = [pin(5), ...stored];
  tell('message_pinned', { message_id: 105, channel: 'general' });
  await vi.waitFor(() => expect(pins.of(105)).toBeDefined());
  stored = stored.slice(1);
  tell('message_deleted', { message_id: 105 });
  await vi.waitFor(() => expect(pins.of(105)).toBeUndefined());
});

test('what is pinned here is shown at once, the newest first', async () => {
  await pins.pin(104);
  expect(pins.all?.map(({ id }) => id)).toEqual([4, 3, 2]);
  await pins.unpin(103);
  expect(pins.all?.map(({ id }) => id)).toEqual([4, 2]);
});

test('many pins are loaded in pages', async () => {
  stored = Array.from({ length: 230 }, (_, index) => pin(1_000 - index));
  await pins.load();
  expect(pins.all).toHaveLength(230);
});

test('only messages of the conversation are pinned there', () => {
  expect(pins.holds(message(1))).toBe(true);
  expect(pins.holds(message(1, { channel: 'other' }))).toBe(false);
  expect(pins.holds(message(1, { channel: null, to: 'ada' }))).toBe(false);
});
