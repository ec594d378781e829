/** A small MCP client for journeys: it opens a session of the revision 2025-06-18 with a key, and calls tools. */

import assert from 'node:assert/strict';
import { serverOrigin } from './visit.mjs';

const REVISION = '2025-06-18';

/**
 * Sends one message; a request is answered with JSON or with a stream that ends with its answer.
 *
 * @param {string} key
 * @param {string | undefined} session
 * @param {object} message
 */
async function send(key, session, message) {
  const response = await fetch(`${serverOrigin()}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': REVISION }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const text = await response.text();
  assert.ok(response.ok, `/mcp answered with ${response.status}: ${text}`);
  return { response, text };
}

/**
 * The answer to a request among what came back.
 *
 * @param {string} text
 * @param {number} id
 */
function answerIn(text, id) {
  const messages = text.trimStart().startsWith('{')
    ? [JSON.parse(text)]
    : text
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:') && line.slice(5).trim() !== '')
        .map((line) => JSON.parse(line.slice(5)));
  const answer = messages.find((message) => message.id === id);
  assert.ok(answer, `no answer to request ${id}: ${text}`);
  return answer;
}

/**
 * Connects as an agent. The result calls a tool and returns what it says.
 *
 * @param {string} key
 * @returns {Promise<(tool: string, args: object) => Promise<any>>}
 */
export async function openSession(key) {
  const clientInfo = { name: 'journey', version: '1' };
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo };
  const { response } = await send(key, undefined, { id: 0, method: 'initialize', params });
  const session = response.headers.get('mcp-session-id');
  assert.ok(session, 'the server opened no session');
  await send(key, session, { method: 'notifications/initialized' });
  let id = 0;
  return async (tool, args) => {
    id += 1;
    const call = { id, method: 'tools/call', params: { name: tool, arguments: args } };
    const { result, error } = answerIn((await send(key, session, call)).text, id);
    const said = result?.content?.[0]?.text;
    assert.ok(result && result.isError !== true, `${tool}: ${said ?? JSON.stringify(error)}`);
    return result.structuredContent ?? JSON.parse(said);
  };
}
