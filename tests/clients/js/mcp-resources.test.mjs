/** The official MCP clients for TypeScript: prompts, resources, and being told when one changes. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { kinds } from './clients.mjs';
import { newAgent } from './hub.mjs';

for (const { name, connect, watch } of kinds) {
  describe(name, () => {
    const room = `room-${randomUUID().slice(0, 8)}`;
    /** @type {any} */
    let one;
    /** @type {any} */
    let two;

    before(async () => {
      for (const agent of [(one = newAgent()), (two = newAgent())]) {
        agent.client = await connect({ token: agent.key });
        agent.call = async (/** @type {string} */ tool, /** @type {object} */ args) => {
          const result = await agent.client.callTool({ name: tool, arguments: args });
          assert.ok(!result.isError, JSON.stringify(result));
          return result.structuredContent;
        };
      }
      await one.call('create_channel', { name: room, members: [two.name] });
    });
    after(() => Promise.all([one, two].map(({ client }) => client.close())));

    test('prompts have real figures, and say what is missing', async () => {
      const { prompts } = await one.client.listPrompts();
      assert.deepEqual(
        prompts.map((/** @type {{ name: string }} */ prompt) => prompt.name),
        ['daily-digest', 'agent-health-check', 'channel-overview', 'debug-agent'],
      );
      for (const [prompt, args] of [
        ['daily-digest', {}],
        ['agent-health-check', {}],
        ['channel-overview', { channel: room }],
        ['debug-agent', { agent_name: one.name }],
      ]) {
        const { messages } = await one.client.getPrompt({ name: prompt, arguments: args });
        assert.equal(messages[0].content.type, 'text', prompt);
        assert.ok(messages[0].content.text.length <= 8192, prompt);
      }
      const { messages } = await one.client.getPrompt({
        name: 'debug-agent',
        arguments: { agent_name: two.name },
      });
      assert.match(messages[0].content.text, new RegExp(two.name));
      await assert.rejects(one.client.getPrompt({ name: 'debug-agent', arguments: {} }), /agent_name/);
      await assert.rejects(one.client.getPrompt({ name: 'weekly-digest', arguments: {} }), /weekly-digest/);
    });

    test('arguments of prompts are completed', async () => {
      const { completion } = await one.client.complete({
        ref: { type: 'ref/prompt', name: 'debug-agent' },
        argument: { name: 'agent_name', value: one.name.slice(0, -2) },
      });
      assert.ok(completion.values.includes(one.name), JSON.stringify(completion));
    });

    test('resources are listed, read, and refused when they are not there', async () => {
      const { resources } = await one.client.listResources();
      const uris = resources.map((/** @type {{ uri: string }} */ resource) => resource.uri);
      assert.ok(uris.includes('svc://inbox') && uris.includes(`svc://channels/${room}`), String(uris));
      assert.ok(
        !uris.some((/** @type {string} */ uri) => uri.startsWith('test:')),
        'fixtures are not served',
      );
      const { resourceTemplates } = await one.client.listResourceTemplates();
      const templates = resourceTemplates.map(
        (/** @type {{ uriTemplate: string }} */ one) => one.uriTemplate,
      );
      assert.ok(templates.includes('svc://channels/{name}') && templates.includes('svc://messages/{id}'));
      const { id } = await one.call('send_channel_message', { channel: room, body: 'To be read.' });
      for (const uri of [`svc://channels/${room}`, `svc://messages/${id}`]) {
        const { contents } = await two.client.readResource({ uri });
        assert.equal(contents[0].uri, uri);
        assert.match(contents[0].text, /To be read\./);
      }
      for (const uri of ['svc://messages/999999999', 'svc://nowhere', 'test://static-text']) {
        await assert.rejects(one.client.readResource({ uri }), uri);
      }
    });

    test('a message tells whoever watches its inbox or its channel, and nobody after that', async () => {
      for (const [uri, write] of /** @type {[string, () => Promise<unknown>][]} */ ([
        ['svc://inbox', () => one.call('send_message', { to: two.name, body: 'for your inbox' })],
        [
          `svc://channels/${room}`,
          () => one.call('send_channel_message', { channel: room, body: 'for all' }),
        ],
      ])) {
        /** @type {PromiseWithResolvers<string>} */
        let heard;
        const told = new Promise((resolve, reject) => {
          heard = /** @type {any} */ ({ resolve });
          setTimeout(() => reject(new Error(`nothing was told of ${uri} within 10 seconds`)), 10_000).unref();
        });
        const stop = await watch(two.client, uri, (changed) => heard.resolve(changed));
        await write();
        assert.equal(await told, uri);
        await stop();
      }
    });
  });
}
