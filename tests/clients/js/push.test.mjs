/** Web push: a library for encrypted content reads what the server sends, and the signature of the server is checked. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createECDH, createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto';
import { on, once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import ece from 'http_ece';
import { origin, programs } from './hub.mjs';

/** For all requests of a test, in milliseconds. */
const PATIENCE = 60_000;
const DAY_SECONDS = 86_400;
/** Characters of one to four bytes, and some that JSON escapes. */
const TEXT = 'Grüße aus 東京 👩🏽‍💻 — "quoted", C:\\path, €';
/** What AES-GCM says of a wrong key, and of a changed text. */
const REFUSED = { message: 'Unsupported state or unable to authenticate data' };
/** Salt, size of a record, length of the key and the key itself, before the encrypted record. */
const HEAD_BYTES = 16 + 4 + 1 + 65;

/** @typedef {{ method: string, path: string, headers: Record<string, string>, body: Buffer }} Push */
/** @typedef {{ privateKey: import('node:crypto').ECDH, authSecret: Buffer }} Keys */
/** @typedef {{ name: string, headers: Record<string, string> }} Human */

/**
 * A push service on this machine (RFC 8030). It answers 201, unless a path has another status.
 * @param {import('node:test').TestContext} context
 */
async function startService(context) {
  /** @type {Map<string, number>} */
  const statuses = new Map();
  const server = createServer(async (request, response) => {
    const { method, url: path = '', headers } = request;
    const body = await buffer(request);
    const status = statuses.get(path) ?? 201;
    response
      .writeHead(status, status === 201 ? { location: `${address}/message/${randomUUID()}` } : {})
      .end();
    server.emit('push', { method, path, headers, body });
  });
  const pushes = on(server, 'push', { signal: AbortSignal.timeout(PATIENCE) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    newEndpoint: () => `${address}/push/${randomUUID()}`,
    answer: (/** @type {string} */ endpoint, /** @type {number} */ status) =>
      statuses.set(new URL(endpoint).pathname, status),
    /** @returns {Promise<Push>} */
    next: async () => (await pushes.next()).value[0],
  };
}

/** A new human who is logged in, so that nobody else causes notifications. */
async function newHuman() {
  const [name, password] = [`human_${randomUUID().slice(0, 8)}`, randomUUID()];
  const words = ['--output', 'json', 'users', 'create', name, '--password-stdin'];
  execFileSync(join(programs, 'svc-admin'), words, { input: password });
  const response = await fetch(new URL('/auth/login', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ username: name, password }),
  });
  assert.ok(response.ok, `the login failed with ${response.status}: ${await response.clone().text()}`);
  const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  return { name, headers: { cookie: cookies.join('; '), origin } };
}

/**
 * @param {Human} human @param {number} expected the status @param {string} method @param {string} path
 * @param {unknown} [value]
 */
async function ask({ headers }, expected, method, path, value) {
  const content = value === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(new URL(path, origin), {
    method,
    headers: { ...headers, ...content },
    body: value === undefined ? undefined : JSON.stringify(value),
  });
  const text = await response.text();
  assert.equal(response.status, expected, `${method} ${path}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** @returns {Keys} what a browser makes for a subscription */
function newKeys() {
  const privateKey = createECDH('prime256v1');
  privateKey.generateKeys();
  return { privateKey, authSecret: randomBytes(16) };
}

/**
 * @param {Human} human @param {string} endpoint @param {Keys} keys @param {number} [expected] the status
 */
const subscribe = (human, endpoint, { privateKey, authSecret }, expected = 201) =>
  ask(human, expected, 'POST', '/api/push/subscriptions', {
    endpoint,
    expirationTime: null,
    keys: { p256dh: privateKey.getPublicKey('base64url'), auth: authSecret.toString('base64url') },
    device: 'A test on Node.js',
  });

const subscriptions = (/** @type {Human} */ human) => ask(human, 200, 'GET', '/api/push/subscriptions');

const writeTo = (/** @type {Human} */ author, /** @type {Human} */ { name }, /** @type {string} */ body) =>
  ask(author, 201, 'POST', '/api/messages', { to: name, body });

const decrypted = (/** @type {Push} */ { body }, /** @type {Keys} */ keys) =>
  ece.decrypt(body, { version: 'aes128gcm', ...keys });

/** The notification in a push, if it is as the standards and the documents say. */
function notification(/** @type {Push} */ push, /** @type {Keys} */ keys) {
  const { method, headers, body } = push;
  assert.equal(method, 'POST');
  // A day from when the message was sent, which was just now.
  const ttl = Number(headers['ttl']);
  assert.ok(ttl > DAY_SECONDS - 60 && ttl <= DAY_SECONDS, headers['ttl']);
  assert.match(headers['urgency'] ?? '', /^(very-low|low|normal|high)$/);
  assert.match(headers['topic'] ?? '', /^[A-Za-z0-9_-]{1,32}$/);
  assert.equal(headers['content-encoding'], 'aes128gcm');
  // A push is one record, and push services take no more than 4,096 bytes.
  assert.equal(body[20], 65);
  assert.ok(body.readUInt32BE(16) >= body.length - HEAD_BYTES);
  assert.ok(body.length <= 4096, `${body.length} bytes`);
  const text = decrypted(push, keys);
  assert.ok(text.length <= 3072, `${text.length} bytes`);
  const payload = JSON.parse(text.toString());
  assert.deepEqual(Object.keys(payload).sort(), ['actions', 'body', 'tag', 'title', 'url']);
  for (const name of ['title', 'body', 'tag']) assert.equal(typeof payload[name], 'string', name);
  assert.notEqual(payload.title, '');
  assert.notEqual(payload.tag, '');
  assert.match(payload.url, /^\/(?!\/)/);
  assert.ok(payload.actions.length <= 2);
  for (const { action, title, request } of payload.actions) {
    assert.match(action, /^(approve|reject|mark_read)$/);
    assert.notEqual(title, '');
    assert.match(request.path, /^\/api\//);
  }
  return payload;
}

/** The parts of the header `Authorization` (RFC 8292). */
function credentials(/** @type {Push} */ { headers }) {
  const [, token = '', key = ''] =
    /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), *k=([\w-]+)$/.exec(headers['authorization'] ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  return { head, claims, signature, key };
}

/** Whether ES256 holds for a token; the key is an uncompressed point. */
function isSigned(/** @type {ReturnType<typeof credentials>} */ { head, claims, signature, key }) {
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x, y };
  return verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
}

const decoded = (/** @type {string} */ part) => JSON.parse(Buffer.from(part, 'base64url').toString());
const encoded = (/** @type {unknown} */ value) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a test notification and direct messages are read with the keys of the subscription', async (context) => {
  const service = await startService(context);
  const [human, author, other] = [await newHuman(), await newHuman(), await newHuman()];
  const [endpoint, keys] = [service.newEndpoint(), newKeys()];
  const made = await subscribe(human, endpoint, keys);
  assert.equal(made.device, 'A test on Node.js');
  assert.equal(new URL(`http://${made.service}`).hostname, '127.0.0.1');
  assert.deepEqual([made.last_success_at, made.failures, made.last_error], [null, 0, null]);

  assert.deepEqual(await ask(human, 202, 'POST', '/api/push/test', {}), { queued: 1 });
  const tested = await service.next();
  assert.equal(tested.path, new URL(endpoint).pathname);
  notification(tested, keys);

  /** @type {{ push: Push, payload: any }[]} */
  const told = [];
  for (const sender of [author, author, other]) {
    const sent = await writeTo(sender, human, TEXT);
    const push = await service.next();
    const payload = notification(push, keys);
    assert.ok(payload.title.includes(sender.name), payload.title);
    assert.equal(payload.body, TEXT);
    assert.equal(payload.url, `/dm/${sender.name}?m=${sent.id}`);
    told.push({ push, payload });
  }
  // One tag and one topic for a conversation, so that the newer notification replaces the older one.
  const [first, second, third] = told;
  assert.equal(first.payload.tag, second.payload.tag);
  assert.notEqual(first.payload.tag, third.payload.tag);
  const [one, two, three] = told.map(({ push }) => push.headers['topic']);
  assert.equal(one, two);
  assert.notEqual(one, three);
  // Salt and key of the sender are new each time.
  const heads = told.map(({ push }) => push.body);
  assert.notDeepEqual(heads[0].subarray(0, 16), heads[1].subarray(0, 16));
  assert.notDeepEqual(heads[0].subarray(21, HEAD_BYTES), heads[1].subarray(21, HEAD_BYTES));
});

test('the hub signs for the push service with the key that browsers are given', async (context) => {
  const service = await startService(context);
  const [human, keys] = [await newHuman(), newKeys()];
  const { public_key: known } = await ask(human, 200, 'GET', '/api/push/vapid-key');
  assert.match(known, /^B[\w-]{86}$/);
  await subscribe(human, service.newEndpoint(), keys);
  await ask(human, 202, 'POST', '/api/push/test', {});
  const parts = credentials(await service.next());
  assert.equal(parts.key, known);
  assert.ok(isSigned(parts));
  const { typ, alg } = decoded(parts.head);
  assert.deepEqual([typ, alg], ['JWT', 'ES256']);
  const claims = decoded(parts.claims);
  assert.equal(claims.aud, service.address);
  const left = claims.exp - Date.now() / 1000;
  assert.ok(left > 0 && left <= DAY_SECONDS, `it expires in ${left} seconds`);
  assert.match(claims.sub, /^(mailto:|https:\/\/)./);

  assert.ok(!isSigned({ ...parts, claims: encoded({ ...claims, aud: 'https://push.example.org' }) }));
  const another = newKeys().privateKey.getPublicKey('base64url');
  assert.ok(!isSigned({ ...parts, key: another }));
});

test('nobody else reads a notification, and new keys of a subscription replace the old ones', async (context) => {
  const service = await startService(context);
  const [human, author] = [await newHuman(), await newHuman()];
  const [endpoint, before, after] = [service.newEndpoint(), newKeys(), newKeys()];
  const { id } = await subscribe(human, endpoint, before);
  await writeTo(author, human, TEXT);
  const push = await service.next();
  assert.equal(notification(push, before).body, TEXT);
  assert.ok(!push.body.includes(Buffer.from('Grüße')));
  for (const wrong of [{ authSecret: randomBytes(16) }, { privateKey: newKeys().privateKey }]) {
    assert.throws(() => decrypted(push, { ...before, ...wrong }), REFUSED);
  }
  for (const index of [0, HEAD_BYTES, push.body.length - 1]) {
    const changed = Buffer.from(push.body);
    changed[index] ^= 1;
    assert.throws(() => decrypted({ ...push, body: changed }, before), REFUSED, `byte ${index}`);
  }

  assert.equal((await subscribe(human, endpoint, after, 200)).id, id);
  await writeTo(author, human, TEXT);
  const next = await service.next();
  assert.equal(notification(next, after).body, TEXT);
  assert.throws(() => decrypted(next, before), REFUSED);
});

test('a service that answers 404 or 410 ends the subscription, and no other', async (context) => {
  const service = await startService(context);
  for (const status of [404, 410]) {
    const human = await newHuman();
    const [kept, gone] = [service.newEndpoint(), service.newEndpoint()];
    const { id } = await subscribe(human, kept, newKeys());
    await subscribe(human, gone, newKeys());
    const before = await subscriptions(human);
    assert.deepEqual([before.items.length, before.max], [2, 20]);
    service.answer(gone, status);
    assert.deepEqual(await ask(human, 202, 'POST', '/api/push/test', {}), { queued: 2 });
    const paths = [await service.next(), await service.next()].map(({ path }) => path);
    assert.deepEqual(paths.sort(), [kept, gone].map((endpoint) => new URL(endpoint).pathname).sort());
    // The hub records an answer after it was given, and tells nobody of it: so this asks again.
    const deadline = Date.now() + PATIENCE / 4;
    let { items } = await subscriptions(human);
    while (items.length > 1 || items[0]?.last_success_at === null) {
      assert.ok(Date.now() < deadline, `after ${status}: ${JSON.stringify(items)}`);
      await pause(50);
      ({ items } = await subscriptions(human));
    }
    assert.deepEqual([items.length, items[0]?.id, items[0]?.failures], [1, id, 0]);
  }
});
