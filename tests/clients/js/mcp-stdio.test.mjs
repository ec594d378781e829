/** The official MCP clients for TypeScript through pipes: one agent beside the data, one far from it. */

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { kinds } from './clients.mjs';
import { dataDirectory, newAgent, origin, programs } from './hub.mjs';
import { walk } from './table.mjs';

const command = `${programs}/svc-mcp-stdio`;

for (const { name, connect } of kinds) {
  describe(name, () => {
    /** @type {any[]} */
    const open = [];
    after(() => Promise.all(open.map((client) => client.close())));

    /**
     * An agent whose client starts the program.
     * @param {string[]} args
     */
    const piped = async (args) => {
      const agent = newAgent();
      const client = await connect({ command, args, env: { SVC_AGENT_KEY: agent.key } });
      open.push(client);
      const call = (/** @type {string} */ tool, /** @type {object} */ given) =>
        client.callTool({ name: tool, arguments: given });
      return { ...agent, client, call };
    };

    test('every tool works, embedded and bridged, as over HTTP', async () => {
      const [one, two] = [await piped(['--data', dataDirectory]), await piped(['--url', origin])];
      const wired = await connect({ token: one.key });
      open.push(wired);
      const { tools } = await wired.listTools();
      for (const { client } of [one, two]) assert.deepEqual((await client.listTools()).tools, tools);
      await walk({ one, two });
    });

    test('the compact profile lists few', async () => {
      const { client } = await piped(['--url', origin, '--tools', 'compact']);
      assert.ok((await client.listTools()).tools.length <= 10);
    });
  });
}
