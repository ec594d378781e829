/** An endpoint on this machine that receives webhooks and answers as it is told. */

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** @typedef {{ headers: import('node:http').IncomingHttpHeaders, body: string }} Received */

export async function startReceiver() {
  /** @type {Received[]} */
  const received = [];
  let status = 204;
  let text = '';
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    received.push({ headers: request.headers, body });
    response.writeHead(status, { 'content-type': 'text/plain' }).end(status === 204 ? undefined : text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    /** From now on. */
    answer: (/** @type {number} */ newStatus, newText = '') => {
      status = newStatus;
      text = newText;
    },
    /** The first request with this event after so many others. */
    event: async (/** @type {string} */ name, after = 0) => {
      const deadline = Date.now() + 15_000;
      for (;;) {
        const found = received.slice(after).find(({ headers }) => headers['svc-event'] === name);
        if (found) return found;
        assert.ok(Date.now() < deadline, `no ${name} was received`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Whether one of the signatures of a request was made with a secret.
 *
 * @param {Received} request
 * @param {string} secret
 */
export function isSignedBy({ headers, body }, secret) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(signature);
}
