import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import { Configs } from './configs.svelte';

let asked: string[];
let waiting: Map<string, (response: Response) => void>;
let configs: Configs;

beforeEach(() => {
  asked = [];
  waiting = new Map();
  const send = ((request: Request) => {
    const query = new URL(request.url).search;
    asked.push(query);
    return new Promise<Response>((resolve) => waiting.set(query, resolve));
  }) as typeof fetch;
  configs = new Configs(createApi({ fetch: send, origin: 'http://hub.test' }), 'bot');
});

test('the form that most clients share is asked for without a client', async () => {
  const shown = configs.show('common', 'http');
  waiting.get('?transport=http')?.(new Response('{}'));
  await shown;
  expect(configs.text).toBe('{}');
});

test('an answer for what is not looked at any more is not shown', async () => {
  const first = configs.show('codex', 'http');
  const second = configs.show('cursor', 'stdio');
  waiting.get('?transport=stdio&client=cursor')?.(new Response('cursor'));
  await second;
  waiting.get('?transport=http&client=codex')?.(new Response('codex'));
  await first;
  expect(configs.text).toBe('cursor');
  await configs.show('codex', 'http');
  expect(configs.text).toBe('codex');
  expect(asked).toHaveLength(2);
});

test('a refusal is told', async () => {
  const shown = configs.show('codex', 'http');
  const refusal = Response.json({ detail: 'There is no such agent.' }, { status: 404 });
  waiting.get('?transport=http&client=codex')?.(refusal);
  await shown;
  expect(configs.failure).toBe('There is no such agent.');
  expect(configs.text).toBeUndefined();
});
