import { expect, test } from 'vitest';
import { createApi } from '../api/client';
import { FirstRun } from './first-run.svelte';

function standIn({
  seen = [] as string[],
  active = [] as string[],
  broken = false,
  stored = new Map<string, string>(),
} = {}) {
  const asked: string[] = [];
  const send = (async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    const name = searchParams.get('agent') ?? pathname.split('/')[3] ?? '';
    asked.push(`${request.method} ${name}`);
    if (broken) return Response.json({}, { status: 500 });
    if (pathname === '/api/traces')
      return Response.json({ traces: active.includes(name) ? [{ id: 1 }] : [] });
    return Response.json({ agent: name, connected: false, ...(seen.includes(name) ? { at: '2026' } : {}) });
  }) as typeof fetch;
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  const api = createApi({ fetch: send, origin: 'http://hub.test' });
  return { asked, stored, run: new FirstRun(api, () => storage), storage, api };
}

const agent = (name: string, created_at = '2026-01-01') => ({ name, created_at });

test('without an agent the first step is to make one', async () => {
  const { run } = standIn();
  await run.look([]);
  expect(run.step).toBe('create');
  run.made('bot', 'writer');
  expect([run.step, run.agent]).toEqual(['connect', 'bot']);
  run.connected();
  expect(run.step).toBe('connected');
});

test('agents that never called: the newest is the one to connect', async () => {
  const { run } = standIn();
  await run.look([agent('old', '2026-01-01'), agent('new', '2026-02-01')]);
  expect([run.step, run.agent]).toEqual(['connect', 'new']);
});

test('once any agent has called, nothing is left to do', async () => {
  const { run } = standIn({ seen: ['old'] });
  await run.look([agent('old'), agent('new', '2026-02-01')]);
  expect(run.step).toBe('done');
});

test('an agent that has left traces is not tested', async () => {
  const { run, asked } = standIn({ active: ['old'] });
  await run.look([agent('old')]);
  expect(run.step).toBe('done');
  expect(asked).toEqual(['GET old']);
});

test('what was begun is not taken away by news of agents', async () => {
  const { run, asked } = standIn({ seen: ['bot'] });
  await run.look([]);
  run.made('bot', 'writer');
  await run.look([agent('bot')]);
  expect(run.step).toBe('connect');
  run.connected();
  await run.look([agent('bot')]);
  expect(run.step).toBe('connected');
  expect(asked).toEqual([]);
});

test('when the hub does not say, the card stays away', async () => {
  const { run } = standIn({ broken: true });
  await run.look([agent('bot')]);
  expect(run.step).toBe('done');
});

test('a person with many agents is not asked about', async () => {
  const { run, asked } = standIn();
  await run.look(Array.from({ length: 11 }, (_, index) => agent(`a${index}`)));
  expect(run.step).toBe('done');
  expect(asked).toEqual([]);
});

test('dismissing holds over visits', () => {
  const { run, storage, api } = standIn();
  run.dismiss();
  expect(new FirstRun(api, () => storage).dismissed).toBe(true);
});
