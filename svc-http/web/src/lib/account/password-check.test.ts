import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import { isAborted, Problem } from '../api/problem';
import { PasswordCheck } from './password-check.svelte';

let isFresh: boolean;
let made: number;
let answerConfirm: (password: string) => Response;
let check: PasswordCheck;
let make: () => Promise<string>;

const problem = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  Response.json({ status, code, detail: `${code}.`, ...more }, { status, headers });

beforeEach(() => {
  isFresh = false;
  made = 0;
  answerConfirm = (password) => {
    if (password !== 'right') return problem(401, 'invalid_credentials');
    isFresh = true;
    return new Response(null, { status: 204 });
  };
  const send = (async (request: Request) => {
    if (new URL(request.url).pathname === '/auth/confirm') {
      return answerConfirm(((await request.json()) as { password: string }).password);
    }
    if (!isFresh) return problem(403, 'password_required');
    made += 1;
    return Response.json({ key: `key-${made}` }, { status: 201 });
  }) as typeof fetch;
  const api = createApi({ fetch: send, origin: 'http://hub.test' });
  check = new PasswordCheck(api);
  make = () =>
    api
      .POST('/api/keys', { body: { name: 'ci', permissions: ['read'] } })
      .then(({ data }) => data?.key ?? '');
});

/** Until the question is on screen. */
const asked = async () => {
  for (let round = 0; round < 20 && !check.isAsking; round += 1) await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  expect(check.isAsking).toBe(true);
};

test('nobody is asked while the login is fresh', async () => {
  isFresh = true;
  expect(await check.run(make)).toBe('key-1');
  expect(check.isAsking).toBe(false);
});

test('the right password does what was refused, once', async () => {
  const making = check.run(make);
  await asked();
  await check.confirm('right');
  expect(await making).toBe('key-1');
  expect([check.isAsking, made]).toEqual([false, 1]);
});

test('a wrong password is told in place, and can be tried again', async () => {
  const making = check.run(make);
  await asked();
  await check.confirm('wrong');
  expect(check).toMatchObject({ isAsking: true, busy: false, problem: 'Incorrect password. Try again.' });
  expect(made).toBe(0);
  await check.confirm('right');
  expect(check.problem).toBeUndefined();
  expect(await making).toBe('key-1');
});

test('too many tries say when the next one makes sense', async () => {
  answerConfirm = () =>
    problem(429, 'rate_limited', { detail: 'Too many attempts.' }, { 'retry-after': '30' });
  const making = check.run(make);
  await asked();
  await check.confirm('right');
  expect(check.problem).toBe('Too many attempts. Try again in 30 seconds.');
  check.cancel();
  await expect(making).rejects.toSatisfy(isAborted);
});

test('cancelling makes nothing and is no failure', async () => {
  const making = check.run(make);
  await asked();
  check.cancel();
  await expect(making).rejects.toSatisfy(isAborted);
  expect([check.isAsking, made]).toEqual([false, 0]);
});

test('other refusals pass', async () => {
  const other = new Problem({ status: 403, code: 'forbidden' });
  await expect(check.run(() => Promise.reject(other))).rejects.toBe(other);
  expect(check.isAsking).toBe(false);
});
