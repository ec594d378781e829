import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import { Problem } from '../api/problem';
import { Keys } from './keys.svelte';

interface Stored {
  id: number;
  name: string;
  agent: string | null;
  status: string;
}

let stored: Stored[];
let idempotency: (string | null)[];
let failing: boolean;
let api: ReturnType<typeof createApi>;

beforeEach(() => {
  idempotency = [];
  failing = false;
  stored = [
    { id: 1, name: 'laptop', agent: 'bot', status: 'active' },
    { id: 2, name: 'ci', agent: null, status: 'active' },
    { id: 3, name: 'old', agent: 'bot', status: 'revoked' },
  ];
  const send = (async (request: Request) => {
    if (request.method === 'POST') {
      idempotency.push(request.headers.get('idempotency-key'));
      if (failing) throw new TypeError('lost');
      stored = [{ id: 9, agent: null, status: 'active', ...(await request.json()) }, ...stored];
      return Response.json({ id: 9, key: 'svck_9' }, { status: 201 });
    }
    if (request.method === 'DELETE') {
      const id = Number(new URL(request.url).pathname.split('/').at(-1));
      if (!stored.some((key) => key.id === id)) return Response.json({ detail: 'No key.' }, { status: 404 });
      stored = stored.map((key) => (key.id === id ? { ...key, status: 'revoked' } : key));
      return new Response(null, { status: 204 });
    }
    return Response.json({ keys: stored, total: stored.length });
  }) as typeof fetch;
  api = createApi({ fetch: send, origin: 'http://hub.test' });
});

const names = (keys: readonly { name: string }[]) => keys.map(({ name }) => name);

test('all keys, those that work apart from those that do not', async () => {
  const keys = new Keys(api);
  await keys.load();
  expect(names(keys.active)).toEqual(['laptop', 'ci']);
  expect(names(keys.revoked)).toEqual(['old']);
});

test('of an agent, only the keys that act as it', async () => {
  const keys = new Keys(api, 'bot');
  await keys.load();
  expect(names(keys.all ?? [])).toEqual(['laptop', 'old']);
});

test('a new key is in the list, and its secret is given once', async () => {
  const keys = new Keys(api);
  expect(await keys.create({ name: 'new', permissions: ['read'] })).toBe('svck_9');
  expect(names(keys.active)).toContain('new');
  expect(JSON.stringify(keys.all)).not.toContain('svck_9');
});

test('a try after a lost answer is the same request, the next key another', async () => {
  const keys = new Keys(api);
  failing = true;
  await expect(keys.create({ name: 'new', permissions: ['read'] })).rejects.toThrow();
  failing = false;
  await keys.create({ name: 'new', permissions: ['read'] });
  await keys.create({ name: 'new', permissions: ['read'] });
  expect(idempotency[1]).toBe(idempotency[0]);
  expect(idempotency[2]).not.toBe(idempotency[0]);
});

test('a revoked key stays in sight as revoked; a failed try is thrown', async () => {
  const keys = new Keys(api);
  await keys.revoke(2);
  expect(names(keys.revoked)).toContain('ci');
  await expect(keys.revoke(77)).rejects.toBeInstanceOf(Problem);
});
