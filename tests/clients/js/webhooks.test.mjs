/** Webhooks: the library of Standard Webhooks verifies what the server sends, and nothing that was changed. */

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { on, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { keeperHeaders, newAgent, origin } from './hub.mjs';

/** For all deliveries of a test, in milliseconds. */
const PATIENCE = 60_000;
/** Characters of one to four bytes, and some that JSON escapes. */
const TEXT = 'Grüße aus 東京 👩🏽‍💻 — "quoted", C:\\path,\ttab,\nline\u2028end €';
const REFUSED = { name: 'WebhookVerificationError', message: 'No matching signature found' };

/** @typedef {{ headers: Record<string, string>, body: Buffer }} Delivery */
/** @typedef {Record<string, string>} Headers */

/**
 * An endpoint on this machine. It answers 204, unless it is given another status for the next requests.
 * @param {import('node:test').TestContext} context
 */
async function startReceiver(context) {
  /** @type {number[]} */
  const statuses = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    response.writeHead(statuses.shift() ?? 204).end();
    server.emit('delivery', { headers: request.headers, body });
  });
  const deliveries = on(server, 'delivery', { signal: AbortSignal.timeout(PATIENCE) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/hook`,
    answerNext: (/** @type {number} */ status) => statuses.push(status),
    /** @returns {Promise<Delivery>} */
    next: async () => (await deliveries.next()).value[0],
  };
}

/** @param {{ key: string }} agent */
const as = ({ key }) => ({ authorization: `Bearer ${key}` });

/** @param {string} path @param {Headers} headers @param {unknown} [value] */
async function post(path, headers, value = {}) {
  const response = await fetch(new URL(path, origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  });
  const answer = await response.json();
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

/** An agent with a webhook, and another agent that writes to it. */
async function register(/** @type {string} */ url, /** @type {Record<string, unknown>} */ more = {}) {
  const [agent, author] = [newAgent(), newAgent()];
  const { webhook, secret } = await post('/api/webhooks', as(agent), { url, events: ['*'], ...more });
  return { agent, author, secret, path: `/api/webhooks/${webhook.id}` };
}

/** What the library reads in a delivery, if it verifies it. */
const verified = (/** @type {string} */ secret, /** @type {Delivery} */ { body, headers }) =>
  /** @type {any} */ (new Webhook(secret).verify(body, headers));

test('every event is verified with the secret that was shown once', async (context) => {
  const receiver = await startReceiver(context);
  const { agent, author, secret, path } = await register(receiver.url);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const person = await keeperHeaders();
  const room = `room-${randomUUID().slice(0, 8)}`;
  await post('/api/channels', as(author), { name: room, members: [agent.name] });
  const direct = { to: agent.name, body: TEXT };
  const echo = { ...as(author), 'svc-depth': '2' };
  const mention = { channel: room, body: `Look, @${agent.name}: ${TEXT}` };
  for (const [event, depth, headers, message] of /** @type {[string, number, Headers, any][]} */ ([
    ['message.received', 0, person, direct],
    ['message.received', 1, as(author), direct],
    ['message.received', 3, echo, direct],
    ['message.mentioned', 1, as(author), mention],
    ['channel.message', 1, as(author), { channel: room, body: TEXT }],
  ])) {
    const sent = await post('/api/messages', headers, message);
    const delivery = await receiver.next();
    const { type, sequence, timestamp, data } = verified(secret, delivery);
    assert.equal(type, event);
    assert.equal(event === 'message.mentioned' ? data.mention_of : data.id, sent.id);
    assert.deepEqual([data.body, data.agent, data.depth], [message.body, agent.name, depth]);
    assert.ok(Number.isSafeInteger(sequence) && !Number.isNaN(Date.parse(timestamp)));
    assert.equal(delivery.headers['svc-event'], event);
    assert.equal(delivery.headers['svc-depth'], String(depth));
    assert.equal(delivery.headers['content-type'], 'application/json');
    assert.match(delivery.headers['user-agent'] ?? '', /^svc\/\d/);
  }
  const outcome = await post(`${path}/test`, as(agent));
  assert.deepEqual([outcome.status, outcome.error], [204, null]);
  const tested = await receiver.next();
  const { type, sequence, data } = verified(secret, tested);
  assert.deepEqual(
    { type, sequence, data },
    { type: 'webhook.test', sequence: null, data: { agent: agent.name } },
  );
  assert.equal(tested.headers['svc-event'], 'webhook.test');
  assert.equal(tested.headers['svc-depth'], '0');
});

test('a changed byte is refused, and another secret', async (context) => {
  const receiver = await startReceiver(context);
  const { agent, author, secret } = await register(receiver.url);
  await post('/api/messages', as(author), { to: agent.name, body: TEXT });
  const delivery = await receiver.next();
  assert.equal(verified(secret, delivery).data.body, TEXT);
  const { body, headers } = delivery;

  for (const index of body.keys()) {
    const changed = Buffer.from(body);
    changed[index] ^= 1;
    assert.throws(() => verified(secret, { headers, body: changed }), REFUSED, `byte ${index} of the body`);
  }
  for (const changed of [Buffer.concat([body, Buffer.from(' ')]), body.subarray(0, -1), Buffer.alloc(0)]) {
    assert.throws(() => verified(secret, { headers, body: changed }), REFUSED);
  }
  const id = headers['webhook-id'] ?? '';
  const seconds = Number(headers['webhook-timestamp']);
  const [version, signature = ''] = headers['webhook-signature']?.split(',') ?? [];
  assert.equal(version, 'v1');
  const other = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
  for (const changes of /** @type {Headers[]} */ ([
    { 'webhook-id': `${id}0` },
    { 'webhook-id': id.replace('dlv', 'dlw') },
    // Both are recent enough, so that it is the signature that decides.
    { 'webhook-timestamp': String(seconds + 1) },
    { 'webhook-timestamp': String(seconds - 1) },
    { 'webhook-signature': `v1,${other}` },
    { 'webhook-signature': `v1,${signature.slice(0, -4)}` },
    { 'webhook-signature': `v2,${signature}` },
  ])) {
    const changed = { body, headers: { ...headers, ...changes } };
    assert.throws(() => verified(secret, changed), REFUSED, JSON.stringify(changes));
  }
  const another = await register(receiver.url);
  for (const wrong of [another.secret, `whsec_${randomBytes(32).toString('base64')}`]) {
    assert.throws(() => verified(wrong, delivery), REFUSED);
  }
});

test('old and new secret verify after a rotation, also one that was chosen', async (context) => {
  const receiver = await startReceiver(context);
  const chosen = `whsec_${randomBytes(24).toString('base64')}`;
  const { agent, author, secret, path } = await register(receiver.url, { secret: chosen });
  assert.equal(secret, chosen);
  const { secret: rotated } = await post(`${path}/rotate-secret`, as(agent));
  assert.notEqual(rotated, chosen);
  await post('/api/messages', as(author), { to: agent.name, body: TEXT });
  const delivery = await receiver.next();
  for (const valid of [chosen, rotated]) assert.equal(verified(valid, delivery).data.body, TEXT);
  // A receiver that knows one of the secrets needs only its signature.
  const signatures = delivery.headers['webhook-signature']?.split(' ') ?? [];
  assert.equal(signatures.length, 2);
  const alone = signatures.map((text) => ({
    ...delivery,
    headers: { ...delivery.headers, 'webhook-signature': text },
  }));
  for (const valid of [chosen, rotated]) {
    const accepted = alone.filter((one) => {
      try {
        return verified(valid, one).data.body === TEXT;
      } catch {
        return false;
      }
    });
    assert.equal(accepted.length, 1);
  }
});

test('a repeated delivery has the same id and body, and a signature of its own', async (context) => {
  const receiver = await startReceiver(context);
  const { agent, author, secret } = await register(receiver.url);
  receiver.answerNext(503);
  await post('/api/messages', as(author), { to: agent.name, body: TEXT });
  const [first, second] = [await receiver.next(), await receiver.next()];
  for (const delivery of [first, second]) assert.equal(verified(secret, delivery).data.body, TEXT);
  assert.equal(second.headers['webhook-id'], first.headers['webhook-id']);
  assert.deepEqual(second.body, first.body);
  const [before, after] = [first, second].map(({ headers }) => Number(headers['webhook-timestamp']));
  assert.ok(after > before, 'it is signed with the time of the attempt');
});

test('the lines in docs/webhooks.md verify a delivery', async (context) => {
  const page = await readFile(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
  const [, lines = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  assert.match(lines, /from 'standardwebhooks'/);
  const receiver = await startReceiver(context);
  const { agent, author, secret } = await register(receiver.url);
  await post('/api/messages', as(author), { to: agent.name, body: TEXT });
  const { body, headers } = await receiver.next();
  // They stand in a function of a reader, which is given the body and the headers of a request.
  const inside = lines.replace(/^import .*\n/m, '');
  const run = new Function('Webhook', 'process', 'body', 'headers', `${inside}\nreturn event;`);
  const process = { env: { SVC_WEBHOOK_SECRET: secret } };
  assert.equal(run(Webhook, process, body, headers).data.body, TEXT);
  assert.throws(() => run(Webhook, process, `${body} `, headers), REFUSED);
});
