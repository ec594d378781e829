/**
 * The official MCP clients for TypeScript, of both generations, through their `auth()`: what a program does
 * when a server answers 401, until it acts as the agent that a person chose.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import * as second from '@modelcontextprotocol/client';
import * as first from '@modelcontextprotocol/sdk/client/auth.js';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { kinds } from './clients.mjs';
import {
  bound,
  callback,
  newPerson,
  origin,
  scout,
  scribe,
  username,
  whoami,
  whoamiAddress,
} from './hub.mjs';
import { Page } from './person.mjs';

/** What a program remembers between the steps. */
class Memory {
  /** @param {Record<string, unknown>} [metadata] */
  constructor(metadata = {}) {
    this.redirectUrl = callback;
    this.clientMetadata = {
      client_name: 'Example client',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...metadata,
    };
    /** @type {string[]} */
    this.invalidated = [];
  }

  state() {
    return (this.sentState = randomUUID());
  }
  clientInformation() {
    return this.client;
  }
  saveClientInformation(/** @type {any} */ client) {
    this.client = client;
  }
  tokens() {
    return this.kept;
  }
  saveTokens(/** @type {any} */ tokens) {
    this.kept = tokens;
  }
  redirectToAuthorization(/** @type {URL} */ address) {
    this.asked = address;
  }
  saveCodeVerifier(/** @type {string} */ verifier) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  invalidateCredentials(/** @type {string} */ what) {
    this.invalidated.push(what);
    if (what === 'all' || what === 'client') this.client = undefined;
    if (what === 'all' || what === 'tokens') this.kept = undefined;
  }
}

const serverUrl = whoamiAddress;

for (const { name, sdk } of [
  {
    name: '@modelcontextprotocol/sdk 1.x',
    sdk: { ...first, Client, ClientCredentialsProvider, StreamableHTTPClientTransport },
  },
  { name: '@modelcontextprotocol/client 2.x', sdk: second },
]) {
  /**
   * From nothing to tokens.
   * @param {Memory} memory @param {string} agent
   */
  const connect = async (memory, agent) => {
    const { response } = await whoami();
    assert.equal(response.status, 401);
    const { resourceMetadataUrl } = sdk.extractWWWAuthenticateParams(response);
    assert.equal(resourceMetadataUrl?.href, `${origin}/.well-known/oauth-protected-resource`);
    assert.equal(await sdk.auth(memory, { serverUrl, resourceMetadataUrl }), 'REDIRECT');
    const answer = await newPerson().answer(memory.asked, { agent });
    assert.equal(answer.searchParams.get('state'), memory.sentState);
    await redeem(memory, answer.searchParams);
    return answer.searchParams;
  };

  /** @param {Memory} memory @param {URLSearchParams} answer */
  const redeem = async (memory, answer) => {
    const [authorizationCode, iss] = [answer.get('code') ?? '', answer.get('iss') ?? undefined];
    assert.equal(await sdk.auth(memory, { serverUrl, authorizationCode, iss }), 'AUTHORIZED');
  };

  describe(name, () => {
    for (const method of ['none', 'client_secret_basic', 'client_secret_post']) {
      test(`connects and refreshes as the chosen agent, authenticated by ${method}`, async () => {
        const memory = new Memory({ token_endpoint_auth_method: method });
        await connect(memory, scribe);
        assert.equal(memory.client.client_name, 'Example client');
        assert.equal(memory.client.client_secret === undefined, method === 'none');
        assert.equal(memory.kept.token_type.toLowerCase(), 'bearer');
        assert.equal(memory.kept.scope, 'mcp');
        const { identity } = await whoami(memory.kept.access_token);
        assert.deepEqual([identity.handle, identity.kind, identity.owner], [scribe, 'agent', username]);

        const before = memory.kept;
        assert.equal(await sdk.auth(memory, { serverUrl }), 'AUTHORIZED');
        assert.notEqual(memory.kept.access_token, before.access_token);
        assert.notEqual(memory.kept.refresh_token, before.refresh_token);
        assert.equal((await whoami(memory.kept.access_token)).identity.handle, scribe);
        assert.deepEqual(memory.invalidated, []);
      });
    }

    test('a refresh whose answer got lost is answered the same again', async () => {
      const memory = new Memory();
      await connect(memory, scout);
      const before = memory.kept;
      await sdk.auth(memory, { serverUrl });
      const heard = memory.kept;
      memory.kept = before;
      assert.equal(await sdk.auth(memory, { serverUrl }), 'AUTHORIZED');
      assert.deepEqual(
        [memory.kept.access_token, memory.kept.refresh_token],
        [heard.access_token, heard.refresh_token],
      );
    });

    test('an old refresh token ends its family and no other, and the person is asked again', async () => {
      const [memory, other] = [new Memory(), new Memory()];
      await connect(memory, scout);
      await connect(other, scout);
      const stolen = memory.kept;
      await sdk.auth(memory, { serverUrl });
      await sdk.auth(memory, { serverUrl });
      const newest = memory.kept;
      memory.kept = stolen;
      assert.equal(await sdk.auth(memory, { serverUrl }), 'REDIRECT');
      assert.deepEqual(memory.invalidated, ['tokens']);
      assert.equal((await whoami(stolen.access_token)).status, 401);
      const { status, response } = await whoami(newest.access_token);
      assert.equal(status, 401);
      assert.equal(sdk.extractWWWAuthenticateParams(response).error, 'invalid_token');
      memory.kept = newest;
      assert.equal(await sdk.auth(memory, { serverUrl }), 'REDIRECT');

      const answer = await newPerson().answer(memory.asked, { agent: scribe });
      await redeem(memory, answer.searchParams);
      assert.equal((await whoami(memory.kept.access_token)).identity.handle, scribe);
      assert.equal((await whoami(other.kept.access_token)).identity.handle, scout);
      assert.equal(await sdk.auth(other, { serverUrl }), 'AUTHORIZED');
    });

    test('a client that the server does not know registers again', async () => {
      const memory = new Memory();
      await connect(memory, scout);
      const unknown = 'f3b8c1a0-0000-4000-8000-000000000000';
      memory.client = { ...memory.client, client_id: unknown };
      assert.equal(await sdk.auth(memory, { serverUrl }), 'REDIRECT');
      assert.notEqual(memory.client.client_id, unknown);
      assert.ok(memory.invalidated.includes('all') || memory.invalidated.includes('client'));
      const answer = await newPerson().answer(memory.asked, { agent: scout });
      await redeem(memory, answer.searchParams);
      assert.equal((await whoami(memory.kept.access_token)).identity.handle, scout);
    });

    test('a code works once, and whoever brings it again ends what came of it', async () => {
      const memory = new Memory();
      const answer = await connect(memory, scout);
      const { access_token: token } = memory.kept;
      await assert.rejects(redeem(memory, answer), /used before/);
      assert.equal((await whoami(token)).status, 401);
    });

    test('a code is worth nothing to somebody with another verifier', async () => {
      const memory = new Memory();
      await sdk.auth(memory, { serverUrl });
      const answer = await newPerson().answer(memory.asked, { agent: scout });
      memory.verifier = 'x'.repeat(43);
      await assert.rejects(redeem(memory, answer.searchParams), /code_verifier/);
      assert.equal(memory.kept, undefined);
    });

    test('a person who says no sends no code', async () => {
      const memory = new Memory();
      await sdk.auth(memory, { serverUrl });
      const answer = await newPerson().answer(memory.asked, { press: 'Deny' });
      assert.deepEqual(
        ['error', 'code', 'state', 'iss'].map((field) => answer.searchParams.get(field)),
        ['access_denied', null, memory.sentState, origin],
      );
    });

    test('a transport that is refused gets its person asked, and then acts as the chosen agent', async () => {
      const memory = new Memory();
      const transport = () =>
        new sdk.StreamableHTTPClientTransport(new URL('/mcp', origin), { authProvider: memory });
      const client = () => new sdk.Client({ name: 'journeys', version: '1.0.0' });
      const refused = transport();
      await assert.rejects(client().connect(refused), sdk.UnauthorizedError);
      const { searchParams } = await newPerson().answer(memory.asked, { agent: scribe });
      await refused.finishAuth(searchParams.get('code') ?? '', searchParams.get('iss') ?? undefined);
      const connected = client();
      await connected.connect(transport());
      const { structuredContent } = await connected.callTool({ name: 'my_status', arguments: {} });
      assert.equal(structuredContent.you.name, scribe);
      await connected.close();
    });

    test('a client that was bound to an agent needs no person', async () => {
      const { client_id: clientId, client_secret: clientSecret } = bound;
      const provider = new sdk.ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: origin });
      assert.equal(await sdk.auth(provider, { serverUrl }), 'AUTHORIZED');
      const token = provider.tokens()?.access_token;
      assert.equal((await whoami(token)).identity.handle, scout);
      for (const { connect } of kinds) {
        const client = await connect({ token });
        const { structuredContent } = await client.callTool({ name: 'my_status', arguments: {} });
        assert.equal(structuredContent.you.name, scout);
        await client.close();
      }
    });

    test('the address of a document is taken as the id, and read only where that is safe', async () => {
      const memory = Object.assign(new Memory(), { clientMetadataUrl: 'https://127.0.0.1:9/client.json' });
      assert.equal(await sdk.auth(memory, { serverUrl }), 'REDIRECT');
      assert.equal(memory.asked.searchParams.get('client_id'), memory.clientMetadataUrl);
      const shown = await newPerson().open(memory.asked);
      assert.ok(shown instanceof Page && shown.status === 400, `${shown}`);
    });
  });
}

test('the second generation refuses an answer that names another server', async () => {
  const memory = new Memory();
  await second.auth(memory, { serverUrl });
  const answer = await newPerson().answer(memory.asked, { agent: scout });
  const authorizationCode = answer.searchParams.get('code') ?? '';
  for (const iss of ['https://elsewhere.example', undefined]) {
    await assert.rejects(
      second.auth(memory, { serverUrl, authorizationCode, iss }),
      second.IssuerMismatchError,
    );
  }
  assert.equal(memory.kept, undefined);
});
