import { beforeEach, expect, test } from 'vitest';
import { createApi, type Partner } from '../api/client';
import { UnreadLetters } from './letters.svelte';

const told = (channel: string) => ({ mention: { channel, message_id: 1 } });
const letter = (id: number, more: object = {}) => ({
  id,
  from: 'bot',
  body: `Letter ${id}`,
  created_at: '2026-03-01T12:00:00Z',
  ...more,
});
const partner = (unread: number, more: object = {}) =>
  ({ name: 'bot', unread, last_message_id: 9, preview: 'hi', last_message_at: '', ...more }) as Partner;
const isShown = (channel: string) => channel === 'plans';

let messages: object[];
let asked: number;
let fails: boolean;
let letters: UnreadLetters;

beforeEach(() => {
  messages = [];
  asked = 0;
  fails = false;
  const send = (async () => {
    asked += 1;
    if (fails) return Response.json({ detail: 'Busy.' }, { status: 503 });
    return Response.json({ messages, has_more_before: false, has_more_after: false });
  }) as unknown as typeof fetch;
  letters = new UnreadLetters(createApi({ fetch: send, origin: 'http://hub.test' }));
});

test('a mention in a channel that is shown is no letter', async () => {
  messages = [letter(1, { metadata: told('plans') })];
  await letters.look([partner(1)], isShown);
  expect(letters.byPartner.get('bot')).toEqual({ count: 0, newest: undefined });
});

test('letters beside a mention are counted, and the newest of them is the one that is shown', async () => {
  messages = [
    letter(1),
    letter(2),
    letter(3, { from: 'ada' }),
    letter(4),
    letter(5, { metadata: told('plans') }),
  ];
  await letters.look([partner(3)], isShown);
  expect(letters.byPartner.get('bot')).toMatchObject({ count: 2, newest: { body: 'Letter 4' } });
});

test('a mention in a channel that I am not in is told by its letter', async () => {
  messages = [letter(1, { metadata: told('elsewhere') })];
  await letters.look([partner(1)], isShown);
  expect(letters.byPartner.get('bot')?.count).toBe(1);
});

test('what is known is not asked again until something has come', async () => {
  await letters.look([partner(1)], isShown);
  await letters.look([partner(1)], isShown);
  await letters.look([partner(0)], isShown);
  expect(asked).toBe(1);
  await letters.look([partner(2, { last_message_id: 10 })], isShown);
  expect(asked).toBe(2);
});

test('when the server does not answer, everything unread counts', async () => {
  fails = true;
  await letters.look([partner(2)], isShown);
  expect(letters.byPartner.get('bot')).toMatchObject({ count: 2, newest: { body: 'hi' } });
});
