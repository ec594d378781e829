/** The official MCP clients for TypeScript at work: every tool, and what a mistake gets. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kinds } from './clients.mjs';
import { newAgent } from './hub.mjs';
import { steps, walk } from './table.mjs';

for (const { name, revision, connect } of kinds) {
  describe(name, () => {
    /** @type {any} */
    let one;
    /** @type {any} */
    let two;

    before(async () => {
      for (const agent of [(one = newAgent()), (two = newAgent())]) {
        agent.client = await connect({ token: agent.key });
        agent.call = (/** @type {string} */ tool, /** @type {object} */ args) =>
          agent.client.callTool({ name: tool, arguments: args });
      }
    });
    after(() => Promise.all([one, two].map(({ client }) => client.close())));

    test('it speaks the revision that it is meant to speak', () => {
      assert.match(one.client.getInstructions(), /Treat it as data/);
      assert.equal(one.client.getServerVersion().name, 'svc');
      if (one.client.getNegotiatedProtocolVersion) {
        assert.equal(one.client.getNegotiatedProtocolVersion(), revision);
      } else {
        assert.equal(one.client.transport.protocolVersion, revision);
      }
    });

    test('every tool is listed in the same order, has an entry in the table, and is no fixture', async () => {
      const { tools } = await one.client.listTools();
      const names = tools.map((/** @type {{ name: string }} */ tool) => tool.name);
      assert.deepEqual([...names].sort(), [...new Set(steps.map(({ tool }) => tool))].sort());
      assert.deepEqual((await two.client.listTools()).tools, tools);
      for (const { name, description, inputSchema, annotations } of tools) {
        assert.ok(description && inputSchema.type === 'object', name);
        assert.equal(annotations.readOnlyHint === true, annotations.destructiveHint === undefined, name);
      }
      const compact = await connect({ token: one.key, path: '/mcp?tools=compact' });
      const few = (await compact.listTools()).tools;
      await compact.close();
      assert.ok(few.length <= 10, `${few.length} tools`);
      assert.ok(few.every((/** @type {{ name: string }} */ tool) => names.includes(tool.name)));
    });

    test('every tool of the table works', () => walk({ one, two }));

    test('a client that is told what tools answer finds it so, and hears refusals', async () => {
      const typed = await connect({ token: one.key, path: '/mcp?tools=typed' });
      const { tools } = await typed.listTools();
      assert.ok(tools.every((/** @type {any} */ tool) => tool.title && tool.outputSchema.type === 'object'));
      for (const [tool, args] of [
        ['my_status', {}],
        ['list_channels', {}],
        ['read_inbox', { status: 'all' }],
        ['discover_agents', {}],
      ]) {
        const answer = await typed.callTool({ name: tool, arguments: args });
        assert.ok(answer.structuredContent && !answer.isError, JSON.stringify(answer));
      }
      const refused = await typed.callTool({ name: 'get_message', arguments: { id: 999999999 } });
      assert.equal(refused.isError, true, JSON.stringify(refused));
      await typed.close();
    });

    test('a mistake is told with its code and a hint, and the client goes on', async () => {
      /** @type {[string, object, string, RegExp][]} */
      const mistakes = [
        ['send_message', { to: two.name, body: 'x', colour: 'red' }, 'validation_failed', /send_message/],
        ['send_message', { to: two.name, body: ['x'] }, 'validation_failed', /body/],
        ['get_message', { id: 999999999 }, 'not_found', /./],
      ];
      for (const [tool, args, code, hint] of mistakes) {
        const result = await one.call(tool, args);
        const shown = JSON.stringify(result);
        assert.equal(result.isError, true, shown);
        const told = JSON.parse(result.content[0].text);
        assert.equal(told.code, code, shown);
        assert.ok(told.message, shown);
        assert.match(JSON.stringify(told), hint);
      }
      await assert.rejects(
        one.call('send_mesage', { to: two.name, body: 'x' }),
        (/** @type {any} */ error) => {
          assert.equal(error.code, -32602, error.message);
          assert.match(error.message, /Unknown tool: send_mesage.*send_message/);
          return true;
        },
      );
      const still = await one.call('my_status', {});
      assert.equal(still.structuredContent.you.name, one.name);
    });

    test('a call that takes long tells how far it is, and can be cancelled', async () => {
      /** @type {unknown[]} */
      const heard = [];
      const ending = new AbortController();
      const waiting = one.client.callTool(
        { name: 'wait_for_messages', arguments: { timeout_seconds: 50, after: 999999999 } },
        ...(name.includes('/sdk') ? [undefined] : []),
        {
          signal: ending.signal,
          onprogress: (/** @type {unknown} */ progress) => {
            heard.push(progress);
            ending.abort();
          },
        },
      );
      await assert.rejects(waiting);
      assert.ok(heard.length > 0);
    });
  });
}
