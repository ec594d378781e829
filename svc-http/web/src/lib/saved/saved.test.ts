import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import { message } from '../messages/sample';
import { Saved, saveMessage, type SavedMessage } from './saved.svelte';

const entry = (id: number, note?: string): SavedMessage => ({
  id,
  message: message(id + 100),
  ...(note === undefined ? {} : { note }),
  saved_at: '2026-01-01T00:00:00.000Z',
});

let stored: SavedMessage[];
let asked: string[];
const send = (async (request: Request) => {
  const url = new URL(request.url);
  const body = request.method === 'PUT' ? await request.text() : '';
  asked.push(`${request.method} ${url.pathname}${url.search}${body}`);
  if (request.method === 'DELETE') return new Response(null, { status: 204 });
  if (request.method === 'PUT') return Response.json(entry(3, (JSON.parse(body) as { note?: string }).note));
  const limit = Number(url.searchParams.get('limit'));
  const before = Number(url.searchParams.get('before') ?? Number.MAX_SAFE_INTEGER);
  const rest = stored.filter(({ id }) => id < before);
  return Response.json({ saved: rest.slice(0, limit), has_more: rest.length > limit });
}) as typeof fetch;
const api = createApi({ fetch: send, origin: 'http://hub.test' });
let saved: Saved;

beforeEach(async () => {
  stored = [entry(3), entry(2)];
  asked = [];
  saved = new Saved(api);
  await saved.load();
});

test('a note is replaced where the message stands', async () => {
  await saved.setNote(entry(3), 'Monday');
  expect(saved.list.all?.map(({ id, note }) => [id, note])).toEqual([
    [3, 'Monday'],
    [2, undefined],
  ]);
  expect(asked.at(-1)).toBe('PUT /api/messages/103/saved{"note":"Monday"}');
});

test('what is done is gone, and can be put back with its note', async () => {
  await saved.remove(entry(3, 'Monday'));
  expect(saved.list.all?.map(({ id }) => id)).toEqual([2]);
  await saved.restore(entry(3, 'Monday'));
  expect(asked.at(-2)).toBe('PUT /api/messages/103/saved{"note":"Monday"}');
  expect(saved.list.all).toHaveLength(2);
});

test('saving without a note leaves the note alone', async () => {
  await saveMessage(api, 103);
  expect(asked.at(-1)).toBe('PUT /api/messages/103/saved{}');
});

test('a long list comes in pages', async () => {
  stored = Array.from({ length: 60 }, (_, index) => entry(1_000 - index));
  await saved.load();
  expect([saved.list.all?.length, saved.list.hasMore]).toEqual([50, true]);
  await saved.list.more();
  expect([saved.list.all?.length, saved.list.hasMore]).toEqual([60, false]);
});
