import { expect, test } from 'vitest';
import { createApi, type Channel, type Partner } from '../api/client';
import { markAllRead, unreadPlaces } from './unread';

const channel = (name: string, unread: number, mentions = 0, last: number | null = 9) =>
  ({ name, unread, mentions, last_message_id: last }) as Channel;
const partner = (name: string, unread: number, copies?: number) =>
  ({ name, display_name: '', unread, mention_copies: copies, last_message_id: 4 }) as Partner;

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

test('a message that only tells of a mention is unread, and meant for me once: in its channel', () => {
  const places = unreadPlaces([channel('ops', 3, 1)], [partner('bot', 3, 1), partner('eve', 1, 1)]);
  expect(places.map(({ title, unread, forMe }) => [title, unread, forMe])).toEqual([
    ['bot', 3, 2],
    ['#ops', 3, 1],
    ['eve', 1, 0],
  ]);
});

test('what is muted is left out, also where direct messages only tell of it', () => {
  const muted = new Set(['channel ops', 'dm loud']);
  const places = unreadPlaces(
    [channel('ops', 3, 1), channel('general', 2)],
    [partner('bot', 3, 1), partner('eve', 1, 1), partner('loud', 9)],
    (kind, name) => muted.has(`${kind} ${name}`),
  );
  expect(places.map(({ title, unread }) => [title, unread])).toEqual([
    ['bot', 2],
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
