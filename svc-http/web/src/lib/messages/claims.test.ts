import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import { Problem, reasonOf } from '../api/problem';
import { Claims, isClaimable, timeLeft } from './claims.svelte';
import { message } from './sample';

const NOW = Date.UTC(2026, 2, 1, 12);
const END = new Date(NOW + 900_000).toISOString();

let store: Map<string, string>;
let requests: { path: string; key: string | null; body: unknown }[];
/** What the server answers to each path; without one, it takes the request. */
let refusals: Record<string, { status: number; code: string }>;
/** How many requests are lost before the server has answered. */
let lost: number;

const storage = () => ({
  getItem: (name: string) => store.get(name) ?? null,
  setItem: (name: string, value: string) => void store.set(name, value),
  removeItem: (name: string) => void store.delete(name),
});
const send = (async (request: Request) => {
  const path = new URL(request.url).pathname;
  requests.push({ path, key: request.headers.get('Idempotency-Key'), body: await request.json() });
  if (lost-- > 0) throw new TypeError('lost');
  const refusal = refusals[path];
  if (refusal) return Response.json({ code: refusal.code, detail: 'No.' }, { status: refusal.status });
  const claimed = { ...letter, status: 'processing', claimed_by: 'ada', lease_expires_at: END };
  return Response.json(path.endsWith('/claim') ? { ...claimed, claim_token: 'token-7' } : claimed);
}) as typeof fetch;
const letter = message(7, { channel: undefined, to: 'ada', from: 'scout', from_kind: 'agent' } as never);

function claimsAt(now = NOW): Claims {
  const api = createApi({ fetch: send, origin: 'http://hub.test' });
  return new Claims({ api, who: 'ada', storage, now: () => now });
}

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was refused',
    (error: unknown) => reasonOf(error),
  );
}

beforeEach(() => {
  store = new Map();
  requests = [];
  refusals = {};
  lost = 0;
});

test('a claim is kept for other tabs until its lease ends', async () => {
  const claims = claimsAt();
  const claimed = await claims.claim(letter);
  expect(claimed).not.toHaveProperty('claim_token');
  expect(claims.isHeld(letter)).toBe(true);
  expect(claimsAt().isHeld(letter)).toBe(true);
  expect(claimsAt(NOW + 900_000).isHeld(letter)).toBe(false);
});

test('a claim whose answer was lost is sent again under its key', async () => {
  const claims = claimsAt();
  lost = 1;
  expect(await refusal(claims.claim(letter))).toContain('not responding');
  await claims.claim(letter);
  expect(requests[0]?.key).toBe(requests[1]?.key);
  await claims.claim(letter);
  expect(requests[2]?.key).not.toBe(requests[1]?.key);
});

test('a reply is sent before the message is marked as done, and once', async () => {
  const claims = claimsAt();
  await claims.claim(letter);
  refusals = { '/api/messages/7/done': { status: 503, code: 'unavailable' } };
  expect(await refusal(claims.finish(letter, 'Done.'))).toContain('Your reply was sent');
  expect(claims.isHeld(letter)).toBe(true);
  refusals = {};
  await claims.finish(letter, 'Done.');
  const replies = requests.filter(({ path }) => path === '/api/messages');
  expect(replies.map(({ body }) => body)).toEqual([
    { to: 'scout', body: 'Done.', reply_to: 7 },
    { to: 'scout', body: 'Done.', reply_to: 7 },
  ]);
  expect(replies[0]?.key).toBe(replies[1]?.key);
  expect(requests.at(-1)).toMatchObject({ path: '/api/messages/7/done', body: { claim_token: 'token-7' } });
  expect(claims.isHeld(letter)).toBe(false);
});

test('a claim that was lost is explained and forgotten', async () => {
  const claims = claimsAt();
  await claims.claim(letter);
  refusals = { '/api/messages/7/renew': { status: 409, code: 'lease_lost' } };
  expect(await refusal(claims.renew(letter))).toMatch(/^Your claim has ended/);
  expect(claims.isHeld(letter)).toBe(false);
  expect(await refusal(claims.release(letter))).toMatch(/^Your claim has ended/);
});

test('a claim of somebody else is explained', async () => {
  refusals = { '/api/messages/7/claim': { status: 409, code: 'already_claimed' } };
  const error = await claimsAt()
    .claim(letter)
    .then(undefined, (thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Problem);
  expect(reasonOf(error)).toContain('already claimed');
});

test('a failure tells its reason, and a release gives the message back', async () => {
  const claims = claimsAt();
  await claims.claim(letter);
  await claims.fail(letter, 'no access');
  expect(requests.at(-1)?.body).toEqual({ claim_token: 'token-7', reason: 'no access' });
  await claims.claim(letter);
  await claims.release(letter);
  expect(claims.isHeld(letter)).toBe(false);
  expect(store.size).toBe(0);
});

test('another tab and the logout end what is known here', async () => {
  const claims = claimsAt();
  await claims.claim(letter);
  store.clear();
  claims.storedElsewhere({ key: 'svc.claims.ada' });
  expect(claims.isHeld(letter)).toBe(false);
  store.set('svc.claims.ada', '{"7": 1, "x": {"token": "t", "until": 9e15}, "8": {"until": 9e15}}');
  expect(claimsAt().isHeld(letter)).toBe(false);
  claims.clear();
  expect(store.size).toBe(0);
});

test('only a direct message to me that waits can be claimed', () => {
  expect(isClaimable(letter, 'ada')).toBe(true);
  expect(isClaimable(letter, 'bob')).toBe(false);
  expect(isClaimable(letter, undefined)).toBe(false);
  expect(isClaimable({ ...letter, channel: 'general' }, 'ada')).toBe(false);
  expect(isClaimable({ ...letter, status: 'processing' }, 'ada')).toBe(false);
  expect(isClaimable({ ...letter, deleted_at: END }, 'ada')).toBe(false);
});

test('what is left of a lease', () => {
  const left = (seconds: number) => timeLeft(new Date(NOW + seconds * 1_000), new Date(NOW));
  expect([845, 3_600, 3_661, 59, 0.4, 0, -5].map(left)).toEqual([
    '14:05',
    '1:00:00',
    '1:01:01',
    '0:59',
    '0:01',
    undefined,
    undefined,
  ]);
});
