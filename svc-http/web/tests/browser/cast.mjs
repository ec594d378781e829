/** Agents, channels and messages for journeys, each with names of its own. */

import assert from 'node:assert/strict';
import { post } from './journeys.mjs';
import { serverOrigin } from './visit.mjs';

let count = 0;

/** A name that no other journey has, in this run and in others on the same server. */
export function unique(/** @type {string} */ word) {
  count += 1;
  return `${word}-${Date.now().toString(36)}-${process.pid.toString(36)}-${count}`;
}

/**
 * Makes an agent; the result speaks as it.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
export async function makeAgent(page, name) {
  const { key } = await post(page, '/api/agents', { name, display_name: name });
  /**
   * @param {string} address
   * @param {object} [body]
   */
  const call = async (address, body = {}) => {
    const response = await fetch(`${serverOrigin()}${address}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${address} answered with ${response.status}: ${await response.clone().text()}`);
    return response.json();
  };
  return {
    name,
    call,
    /** @param {object} message */
    say: (message) => call('/api/messages', message),
    /** Claims everything that waits and gives up on it. */
    giveUp: async (/** @type {string} */ reason) => {
      const { messages } = await call('/api/messages/claim', { limit: 50 });
      for (const { id, claim_token } of messages)
        await call(`/api/messages/${id}/fail`, { claim_token, reason });
    },
  };
}

/**
 * Makes a channel with members.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 * @param {{ members?: string[], workflow?: boolean }} [options]
 */
export async function makeChannel(page, name, { members = [], workflow = false } = {}) {
  await post(page, '/api/channels', { name, members });
  if (!workflow) return;
  const response = await page.request.put(`/api/channels/${name}/settings`, {
    data: { workflow_enabled: true },
    headers: { origin: serverOrigin() },
  });
  assert.ok(response.ok(), await response.text());
}
