/** Agents for journeys: made through the API, acting through their keys, deleted when the journey is over. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { post } from './journeys.mjs';
import { serverOrigin } from './visit.mjs';

/** @typedef {import('playwright-core').Page} Page */

/**
 * A name that no journey had before: names are never given again.
 *
 * @param {string} base
 */
export function newName(base) {
  return `${base}-${randomBytes(4).toString('hex')}`;
}

/**
 * @param {Page} page a visit that has logged in
 * @param {string} name
 * @param {string} [display_name]
 * @returns {Promise<string>} its key
 */
export async function makeAgent(page, name, display_name = name) {
  return (await post(page, '/api/agents', { name, display_name })).key;
}

/**
 * Other journeys count on an account without agents, so each one takes away what it made.
 *
 * @param {Page} page
 * @param {string} name
 */
export async function deleteAgent(page, name) {
  const response = await page.request.delete(`/api/agents/${name}`, { headers: { origin: serverOrigin() } });
  assert.ok([204, 404].includes(response.status()), `deleting ${name}: ${response.status()}`);
}

/**
 * Leaves the account without agents, whatever journeys before have left.
 *
 * @param {Page} page
 */
export async function deleteAllAgents(page) {
  for (;;) {
    const response = await page.request.get('/api/agents?limit=100');
    assert.ok(response.ok(), `listing agents: ${response.status()}`);
    const { agents } = await response.json();
    if (agents.length === 0) return;
    for (const { name } of agents) await deleteAgent(page, name);
  }
}

/**
 * A call of a program with a key.
 *
 * @param {string} key
 * @param {string} address
 * @param {object} [body]
 */
export function callWith(key, address, body) {
  return fetch(serverOrigin() + address, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

/**
 * The first call of an MCP client.
 *
 * @param {string} key
 */
export async function connect(key) {
  const clientInfo = { name: 'journey', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const response = await callWith(key, '/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  assert.equal(response.status, 200);
  await response.body?.cancel();
}
