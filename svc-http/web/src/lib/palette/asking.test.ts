import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { Asking } from './asking.svelte';

let asked: URL[];
let status: number;
const send = (async (request: Request) => {
  const url = new URL(request.url);
  asked.push(url);
  if (status !== 200) return Response.json({ status, detail: 'No.' }, { status });
  return url.pathname.endsWith('/search')
    ? Response.json({ messages: [{ id: 1 }], total: 1 })
    : Response.json({ articles: [{ slug: 'deploy', title: 'Deploy' }], total: 1 });
}) as typeof fetch;
const asking = () => new Asking(createApi({ fetch: send, origin: 'http://hub.test' }));
const messagesAsked = () => asked.filter(({ pathname }) => pathname === '/api/messages/search');

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  status = 200;
});
afterEach(() => void vi.useRealTimers());

test('messages and articles are asked for once nobody types', async () => {
  const one = asking();
  one.ask('depl')();
  one.ask('deploy');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toHaveLength(2);
  expect(one.messages).toHaveLength(1);
  expect(one.articles).toHaveLength(1);
});

test('filters are filters here too', async () => {
  asking().ask('deploy in:ops from:@bot');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(Object.fromEntries(messagesAsked()[0]?.searchParams ?? [])).toEqual({
    q: 'deploy',
    channel: 'ops',
    agent: 'bot',
    limit: '5',
    offset: '0',
  });
});

test.each(['', 'de', '@deploy', '#deploy', 'sort:newest'])('%j asks for no messages', async (query) => {
  asking().ask(query);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(messagesAsked()).toEqual([]);
});

test('a refusal leaves nothing of the question before', async () => {
  const one = asking();
  one.ask('deploy');
  await vi.advanceTimersByTimeAsync(1_000);
  status = 400;
  one.ask('after:soon');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(one.messages).toEqual([]);
});
