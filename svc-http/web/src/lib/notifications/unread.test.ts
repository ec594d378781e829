import { expect, test } from 'vitest';
import { createApi, type Channel, type Partner } from '../api/client';
import { markAllRead, unreadPlaces } from './unread';

const channel = (name: string, unread: number, mentions = 0, last: number | null = 9) =>
  ({ name, unread, mentions, last_message_id: last }) as Channel;
const partner = (name: string, unread: number) =>
  ({ name, display_name: '', unread, last_message_id: 4 }) as Partner;

test('what is meant for me comes first, and what is read is left out', () => {
  const places = unreadPlaces(
    [channel('noise', 50), channel('ops', 3, 1), channel('quiet', 0)],
    [partner('bot', 2), partner('eve', 0)],
  );
  expect(places.map(({ title, forMe }) => [title, forMe])).toEqual([
    ['bot', 2],
    ['#ops', 1],
    ['#noise', 0],
  ]);
});

test('a mention in a channel that I am no member of is for me, although nothing else there is unread', () => {
  const places = unreadPlaces([channel('lobby', 0, 1), channel('ops', 3, 1)], [partner('bot', 3)]);
  expect(places.map(({ title, unread, forMe }) => [title, unread, forMe])).toEqual([
    ['bot', 3, 3],
    ['#lobby', 0, 1],
    ['#ops', 3, 1],
  ]);
});

test('what is muted is left out', () => {
  const muted = new Set(['channel ops', 'dm loud']);
  const places = unreadPlaces(
    [channel('ops', 3, 1), channel('general', 2)],
    [partner('bot', 3), partner('eve', 0), partner('loud', 9)],
    (kind, name) => muted.has(`${kind} ${name}`),
  );
  expect(places.map(({ title, unread }) => [title, unread])).toEqual([
    ['bot', 3],
    ['#general', 2],
  ]);
});

test('exactly what was shown is marked, a hundred at a time', async () => {
  const sent: { kind: string; name: string; last_message_id?: number }[][] = [];
  const send = (async (request: Request) => {
    sent.push(await request.json());
    return new Response(null, { status: 204 });
  }) as typeof fetch;
  const many = Array.from({ length: 120 }, (_, index) => channel(`c${index}`, 1, 0, index === 0 ? null : 9));
  await markAllRead(createApi({ fetch: send, origin: 'http://hub.test' }), unreadPlaces(many, []));
  expect(sent.map((marks) => marks.length)).toEqual([100, 20]);
  expect(sent[0]?.slice(0, 2)).toEqual([
    { kind: 'channel', name: 'c0' },
    { kind: 'channel', name: 'c1', last_message_id: 9 },
  ]);
});
