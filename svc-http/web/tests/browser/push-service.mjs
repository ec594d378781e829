/**
 * A push service on this machine (RFC 8030). It makes subscriptions as a browser would, records what is sent to them,
 * answers as it is told, and decrypts the content (RFC 8291, RFC 8188) with nothing but the cryptography of Node.js.
 */

import assert from 'node:assert/strict';
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const PATIENCE_MILLISECONDS = 15_000;
const TAG_BYTES = 16;
/** Stands after the content of the last record, before its padding. */
const LAST_RECORD = 2;

/** @typedef {{ title: string, body: string, tag: string, url: string, actions: { action: string }[] }} Payload */
/** @typedef {{ path: string, headers: import('node:http').IncomingHttpHeaders, payload: Payload, text: string }} Push */
/** @typedef {{ endpoint: string, p256dh: string, auth: string }} Keys */

export async function startPushService() {
  /** @type {Map<string, { ecdh: import('node:crypto').ECDH, auth: Buffer }>} */
  const browsers = new Map();
  /** @type {Push[]} */
  const received = [];
  let status = 201;
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const body = await buffer(request);
    const browser = browsers.get(path);
    if (!browser) {
      response.writeHead(404).end();
      return;
    }
    if (status !== 201) {
      response.writeHead(status, status === 429 ? { 'retry-after': '1' } : {}).end();
      server.emit('refused', status);
      return;
    }
    try {
      const text = decrypt(body, browser);
      received.push({ path, headers: request.headers, payload: JSON.parse(text), text });
      response.writeHead(201, { location: `${origin}/message/${received.length}` }).end();
    } catch (error) {
      response.writeHead(400).end(String(error));
      console.error('a push could not be read:', error);
    }
    server.emit('push');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const origin = `http://127.0.0.1:${address.port}`;

  return {
    received,
    /**
     * The endpoint and the keys of a browser that subscribes.
     *
     * @returns {Keys}
     */
    subscribe: () => {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(16).toString('hex')}`;
      browsers.set(path, { ecdh, auth });
      return {
        endpoint: origin + path,
        p256dh: ecdh.getPublicKey('base64url'),
        auth: auth.toString('base64url'),
      };
    },
    /** From now on: 201, 410 or 429. */
    answer: (/** @type {number} */ newStatus) => {
      status = newStatus;
    },
    /** Waits until something was answered with another status than 201. */
    refused: () => once(server, 'refused', { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) }),
    /**
     * The first push that fits, among those that have come and those that are to come.
     *
     * @param {(payload: Payload) => boolean} fits
     * @param {number} [milliseconds]
     * @returns {Promise<Push>}
     */
    push: async (fits, milliseconds = PATIENCE_MILLISECONDS) => {
      const signal = AbortSignal.timeout(milliseconds);
      for (;;) {
        const found = received.find(({ payload }) => fits(payload));
        if (found) return found;
        await once(server, 'push', { signal });
      }
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Decrypts content of one record, which is all that a push may have.
 *
 * @param {Buffer} body
 * @param {{ ecdh: import('node:crypto').ECDH, auth: Buffer }} browser
 */
function decrypt(body, { ecdh, auth }) {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const senderKey = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + senderKey.length);
  assert.ok(record.length <= recordSize, `${record.length} bytes in a record of ${recordSize}`);

  const about = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
  const shared = derive(ecdh.computeSecret(senderKey), auth, about, 32);
  const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12);

  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  assert.equal(padded[end], LAST_RECORD, 'the end of the last record');
  return padded.subarray(0, end).toString('utf8');
}

/**
 * @param {Buffer} secret
 * @param {Buffer} salt
 * @param {Buffer} about
 * @param {number} bytes
 */
function derive(secret, salt, about, bytes) {
  return Buffer.from(hkdfSync('sha256', secret, salt, about, bytes));
}
