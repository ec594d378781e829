import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import { Problem } from '../api/problem';
import { freshSecrets, Webhooks } from './webhooks.svelte';
import type { Webhook } from './words';

let stored: Webhook[];
let asked: string[];
let idempotency: (string | null)[];
let recoveries: { queued: number; next: number | null }[];
let sent: unknown[];
let lose: boolean;
let down: boolean;
let webhooks: Webhooks;

const hook = (id: number, more: Partial<Webhook> = {}) =>
  ({ id, agent: 'bot', url: `https://a.test/${id}`, events: ['*'], enabled: true, ...more }) as Webhook;

async function answerTo(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const [, , , part, verb] = pathname.split('/');
  const id = Number(part);
  asked.push(`${request.method} ${pathname}${search}`);
  if (request.method === 'GET' && part === undefined) {
    return Response.json({ webhooks: stored, total: stored.length });
  }
  if (request.method === 'POST' && part === undefined) {
    idempotency.push(request.headers.get('idempotency-key'));
    if (lose) throw new TypeError('lost');
    const body = await request.json();
    if (stored.some(({ url }) => url === body.url)) {
      return Response.json({ code: 'webhook_exists', detail: 'Taken.' }, { status: 409 });
    }
    const webhook = hook(9, { url: body.url, events: body.events, agent: body.agent });
    stored = [...stored, webhook];
    return Response.json({ webhook, secret: body.secret ?? 'whsec_9' }, { status: 201 });
  }
  const found = stored.find((one) => one.id === id);
  if (!found) return Response.json({ detail: 'No webhook.' }, { status: 404 });
  if (verb === 'rotate-secret') return Response.json({ webhook: found, secret: 'whsec_new' });
  if (verb === 'recover') {
    sent.push(await request.json());
    return Response.json(recoveries.shift());
  }
  if (request.method === 'DELETE') {
    stored = stored.filter((one) => one.id !== id);
    return new Response(null, { status: 204 });
  }
  if (request.method === 'PATCH') {
    const changed = { ...found, ...(await request.json()) };
    stored = stored.map((one) => (one.id === id ? changed : one));
    return Response.json(changed);
  }
  return Response.json({ webhook: found, attempts: [{ delivery_id: 5, ok: true, duration_ms: 3 }] });
}

beforeEach(() => {
  stored = [hook(1), hook(2)];
  asked = [];
  idempotency = [];
  recoveries = [];
  sent = [];
  lose = false;
  down = false;
  const send = ((request: Request) =>
    down ? Promise.reject(new TypeError('down')) : answerTo(request)) as typeof fetch;
  webhooks = new Webhooks(createApi({ fetch: send, origin: 'http://hub.test' }), 'bot');
});

const ids = () => webhooks.all?.map(({ id }) => id);

test('the webhooks of the agent come with their last attempts', async () => {
  await webhooks.load();
  expect(asked[0]).toBe('GET /api/webhooks?agent=bot');
  expect(ids()).toEqual([1, 2]);
  expect(webhooks.attempts.get(2)).toHaveLength(1);
});

test('attempts are loaded again only when there were any', async () => {
  await webhooks.load();
  stored = stored.map((one) => (one.id === 2 ? { ...one, last_success_at: '2026-03-01T12:00:00Z' } : one));
  asked = [];
  await webhooks.load();
  expect(asked).toEqual(['GET /api/webhooks?agent=bot', 'GET /api/webhooks/2']);
});

test('a new webhook is in the list, and its secret is kept apart until it is put away', async () => {
  await webhooks.load();
  expect(await webhooks.create({ url: 'https://a.test/new', events: ['message.received'] })).toBe(9);
  expect(ids()).toEqual([1, 2, 9]);
  expect(webhooks.find(9)?.agent).toBe('bot');
  expect(JSON.stringify(webhooks.all)).not.toContain('whsec_');
  expect(freshSecrets.of('9')).toBe('whsec_9');
  freshSecrets.forget('9');
});

test('a try after a lost answer is the same request, another one is not', async () => {
  lose = true;
  const wanted = { url: 'https://a.test/new', events: ['*' as const] };
  await expect(webhooks.create(wanted)).rejects.toThrow();
  lose = false;
  await webhooks.create(wanted);
  await expect(webhooks.create(wanted)).rejects.toBeInstanceOf(Problem);
  expect(idempotency[1]).toBe(idempotency[0]);
  expect(idempotency[2]).not.toBe(idempotency[0]);
});

test('a change is shown at once, a refused one is thrown', async () => {
  await webhooks.load();
  await webhooks.change(1, { enabled: false });
  expect(webhooks.find(1)?.enabled).toBe(false);
  await expect(webhooks.change(77, { enabled: true })).rejects.toBeInstanceOf(Problem);
});

test('a rotated secret replaces the one before on screen', async () => {
  freshSecrets.keep('1', 'whsec_old');
  await webhooks.rotateSecret(1);
  expect(freshSecrets.of('1')).toBe('whsec_new');
  freshSecrets.forget('1');
});

test('recovering goes on until all events are queued', async () => {
  recoveries = [
    { queued: 10_000, next: 4_711 },
    { queued: 3, next: null },
  ];
  expect(await webhooks.recover(1, '2026-03-01T00:00:00Z')).toBe(10_003);
  expect(sent).toEqual([{ since: '2026-03-01T00:00:00Z' }, { after: 4_711 }]);
});

test('a deleted webhook leaves the list after its page was told, and takes its secret along', async () => {
  await webhooks.load();
  freshSecrets.keep('1', 'whsec_1');
  let seen: number[] | undefined;
  await webhooks.delete(1, () => (seen = ids()));
  expect(seen).toEqual([1, 2]);
  expect(ids()).toEqual([2]);
  expect(freshSecrets.of('1')).toBeUndefined();
});

test('without the server, what was there stays and the reason is told', async () => {
  await webhooks.load();
  down = true;
  await webhooks.load();
  expect(ids()).toEqual([1, 2]);
  expect(webhooks.failure).toContain('not responding');
});
