import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import { Problem } from '../api/problem';
import { Users } from './users.svelte';

let asked: string[];
let refuses: boolean;
let users: Users;

beforeEach(() => {
  asked = [];
  refuses = false;
  const send = (async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname}${search}`);
    if (request.method === 'GET') return Response.json({ users: [{ id: 1, username: 'ann' }], total: 1 });
    if (refuses) return Response.json({ code: 'last_admin', detail: 'The last one.' }, { status: 409 });
    if (pathname.endsWith('/password-reset')) return Response.json({ url: 'http://hub.test/reset#svcp_1' });
    return Response.json({ user: { username: 'bob' }, password: 'secret' }, { status: 201 });
  }) as typeof fetch;
  users = new Users(createApi({ fetch: send, origin: 'http://hub.test' }));
});

test('accounts are found by a text', async () => {
  await users.search(' an ');
  expect(asked).toEqual(['GET /api/admin/users?limit=50&offset=0&q=an']);
  expect(users.list.all?.map(({ username }) => username)).toEqual(['ann']);
});

test('a new account is in the list, and its password is given once', async () => {
  expect((await users.create({ username: 'bob' })).password).toBe('secret');
  expect(asked).toEqual(['POST /api/admin/users', 'GET /api/admin/users?limit=50&offset=0']);
});

test('a refused change is thrown', async () => {
  refuses = true;
  await expect(users.update('ann', { disabled: true })).rejects.toBeInstanceOf(Problem);
});

test('a reset gives the link', async () => {
  expect(await users.reset('ann')).toBe('http://hub.test/reset#svcp_1');
});
