import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import { Logins } from './logins.svelte';

let sessions: { id: number; current: boolean; seen_at: string }[];
let stubborn: number | undefined;
let logins: Logins;

beforeEach(() => {
  stubborn = undefined;
  sessions = [
    { id: 1, current: false, seen_at: '2026-11-15T01:00:00.000Z' },
    { id: 2, current: true, seen_at: '2026-11-15T02:00:00.000Z' },
    { id: 3, current: false, seen_at: '2026-11-15T03:00:00.000Z' },
  ];
  const send = (async (request: Request) => {
    if (request.method === 'GET') return Response.json({ sessions, total: sessions.length });
    const id = Number(new URL(request.url).pathname.split('/').at(-1));
    if (id === stubborn) return Response.json({ detail: 'Not now.' }, { status: 503 });
    if (!sessions.some((session) => session.id === id)) return Response.json({}, { status: 404 });
    sessions = sessions.filter((session) => session.id !== id);
    return new Response(null, { status: 204 });
  }) as typeof fetch;
  logins = new Logins(createApi({ fetch: send, origin: 'http://hub.test' }));
});

const ids = () => logins.all?.map(({ id }) => id);

test('this login comes first, then the others by their last use', async () => {
  await logins.load();
  expect(ids()).toEqual([2, 3, 1]);
});

test('one login is ended; one that had ended already is no failure', async () => {
  await logins.end(1);
  expect(ids()).toEqual([2, 3]);
  await expect(logins.end(1)).resolves.toBeUndefined();
});

test('all others are ended, also those that came meanwhile; this one stays', async () => {
  await logins.load();
  sessions = [...sessions, { id: 4, current: false, seen_at: '2026-11-15T04:00:00.000Z' }];
  await logins.endOthers();
  expect(ids()).toEqual([2]);
});

test('what could not be ended is told, and the list is right', async () => {
  stubborn = 1;
  await expect(logins.endOthers()).rejects.toThrow('Not now.');
  expect(ids()).toEqual([2, 1]);
});
