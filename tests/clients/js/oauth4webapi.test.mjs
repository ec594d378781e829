/** The server through `oauth4webapi`, which checks every answer against the standards, step by step. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import {
  agents,
  bound,
  callback,
  newPerson,
  origin,
  scout,
  scribe,
  stranger,
  username,
  whoami,
} from './hub.mjs';
import { Page } from './person.mjs';

const issuer = new URL(origin);
/** The server under test speaks http, on the own machine. */
const plainHttp = { [oauth.allowInsecureRequests]: true };

const as = await oauth.processDiscoveryResponse(
  issuer,
  await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plainHttp }),
);

/** A client that registered, and how it authenticates. */
async function register(/** @type {Record<string, unknown>} */ metadata = {}) {
  const asked = { client_name: 'Example client', redirect_uris: [callback], ...metadata };
  const response = await oauth.dynamicClientRegistrationRequest(as, asked, plainHttp);
  const client = await oauth.processDynamicClientRegistrationResponse(response);
  return { client, auth: authentication(client) };
}

function authentication(/** @type {any} */ client) {
  switch (client.token_endpoint_auth_method) {
    case 'none':
      return oauth.None();
    case 'client_secret_post':
      return oauth.ClientSecretPost(client.client_secret);
    default:
      return oauth.ClientSecretBasic(client.client_secret);
  }
}

/** An authorization request, and what its client keeps of it. */
async function ask(
  /** @type {any} */ client,
  /** @type {Record<string, string | undefined>} */ changes = {},
) {
  const verifier = oauth.generateRandomCodeVerifier();
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: callback,
    scope: 'mcp',
    state: oauth.generateRandomState(),
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...changes,
  };
  const address = new URL(as.authorization_endpoint ?? '');
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) address.searchParams.set(name, value);
  }
  return { address, verifier, state: parameters.state, redirectUri: parameters.redirect_uri ?? callback };
}

/** The way of a code, as far as the answer that the client has checked. */
async function authorize(/** @type {any} */ client, agent = scout, changes = {}) {
  const asked = await ask(client, changes);
  const answer = await newPerson().answer(asked.address, { agent });
  return { ...asked, answer, checked: oauth.validateAuthResponse(as, client, answer, asked.state) };
}

/** @typedef {{ client: any, auth: oauth.ClientAuth }} Registered */

async function exchange(/** @type {Registered} */ { client, auth }, /** @type {any} */ way, options = {}) {
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    auth,
    way.checked,
    way.redirectUri,
    way.verifier,
    { ...plainHttp, ...options },
  );
  return oauth.processAuthorizationCodeResponse(as, client, response);
}

async function refresh(/** @type {Registered} */ { client, auth }, /** @type {string} */ token) {
  const response = await oauth.refreshTokenGrantRequest(as, client, auth, token, plainHttp);
  return oauth.processRefreshTokenResponse(as, client, response);
}

async function introspect(/** @type {Registered} */ { client, auth }, /** @type {string} */ token) {
  const response = await oauth.introspectionRequest(as, client, auth, token, plainHttp);
  return oauth.processIntrospectionResponse(as, client, response);
}

async function revoke(/** @type {Registered} */ { client, auth }, /** @type {string} */ token) {
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, auth, token, plainHttp));
}

/** What a refusal has to be: in the body, by the word of the standard. */
const refusedWith = (/** @type {string} */ error, status = 400) => ({
  name: 'ResponseBodyError',
  error,
  status,
});

describe('discovery', () => {
  test('the server says what it can', () => {
    assert.equal(as.issuer, origin);
    assert.deepEqual(as.code_challenge_methods_supported, ['S256']);
    assert.equal(as.authorization_response_iss_parameter_supported, true);
    for (const grant of ['authorization_code', 'refresh_token', 'client_credentials']) {
      assert.ok(as.grant_types_supported?.includes(grant), grant);
    }
  });

  for (const path of ['', '/mcp']) {
    test(`the resource at ${path || '/'} names the server that gives tokens for it`, async () => {
      const resource = new URL(`${origin}${path}`);
      const response = await oauth.resourceDiscoveryRequest(resource, plainHttp);
      const found = await oauth.processResourceDiscoveryResponse(resource, response);
      assert.deepEqual(found.authorization_servers, [origin]);
      assert.deepEqual(found.scopes_supported, ['mcp']);
    });
  }

  test('under another name it is another server', async () => {
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plainHttp });
    const other = new URL(`http://elsewhere.example:${issuer.port}`);
    await assert.rejects(oauth.processDiscoveryResponse(other, response), {
      code: 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
    });
  });
});

describe('registration', () => {
  test('a client that names no method gets a secret for the header', async () => {
    const { client } = await register();
    assert.equal(client.token_endpoint_auth_method, 'client_secret_basic');
    assert.equal(client.client_secret_expires_at, 0);
    assert.ok(client.client_secret);
  });

  for (const [why, metadata, error] of /** @type {const} */ ([
    [
      'a redirect address on the open net without TLS',
      { redirect_uris: ['http://app.example/cb'] },
      'invalid_redirect_uri',
    ],
    ['no redirect address', { redirect_uris: [] }, 'invalid_redirect_uri'],
    [
      'a grant that nobody bound to an agent',
      { grant_types: ['client_credentials'] },
      'invalid_client_metadata',
    ],
    [
      'a method that is not offered',
      { token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
  ])) {
    test(`${why} is refused`, () => assert.rejects(register({ ...metadata }), refusedWith(error)));
  }
});

describe('code grant', () => {
  for (const method of ['none', 'client_secret_basic', 'client_secret_post']) {
    test(`from the first request to revocation, authenticated by ${method}`, async () => {
      const registered = await register({ token_endpoint_auth_method: method });
      const way = await authorize(registered.client, scribe);
      const tokens = await exchange(registered, way);
      assert.equal(tokens.token_type, 'bearer');
      assert.equal(tokens.scope, 'mcp');
      assert.equal(tokens.expires_in, 3600);
      const { identity } = await whoami(tokens.access_token);
      assert.deepEqual([identity.handle, identity.owner], [scribe, username]);

      const next = await refresh(registered, tokens.refresh_token ?? '');
      assert.notEqual(next.refresh_token, tokens.refresh_token);
      assert.equal((await whoami(next.access_token)).identity.handle, scribe);

      await revoke(registered, next.access_token);
      assert.equal((await whoami(next.access_token)).status, 401);
      const last = await refresh(registered, next.refresh_token ?? '');
      await revoke(registered, last.refresh_token ?? '');
      assert.equal((await whoami(last.access_token)).status, 401);
      await assert.rejects(refresh(registered, last.refresh_token ?? ''), refusedWith('invalid_grant'));
      // Neither is it told what was never there, nor twice.
      await revoke(registered, last.refresh_token ?? '');
      await revoke(registered, 'nothing');
    });
  }

  test('a replayed refresh token ends the family', async () => {
    const registered = await register();
    const begun = await exchange(registered, await authorize(registered.client));
    const second = await refresh(registered, begun.refresh_token ?? '');
    const third = await refresh(registered, second.refresh_token ?? '');
    await assert.rejects(refresh(registered, begun.refresh_token ?? ''), refusedWith('invalid_grant'));
    await assert.rejects(refresh(registered, third.refresh_token ?? ''), refusedWith('invalid_grant'));
    assert.equal((await whoami(third.access_token)).status, 401);
  });

  test('state comes back as it went, whatever is in it', async () => {
    const { client } = await register({ token_endpoint_auth_method: 'none' });
    const state = 'a&b=c #"<i>\' %2B+ü✓\\/';
    const { answer } = await authorize(client, scout, { state });
    assert.equal(answer.searchParams.get('state'), state);
  });

  test('an answer that was tampered with is not taken', async () => {
    const { client } = await register({ token_endpoint_auth_method: 'none' });
    const { answer, state } = await authorize(client);
    for (const [field, value] of [
      ['state', 'another'],
      ['iss', 'https://elsewhere.example'],
      ['iss', undefined],
    ]) {
      const altered = new URL(answer);
      if (value === undefined) altered.searchParams.delete(String(field));
      else altered.searchParams.set(String(field), value);
      assert.throws(() => oauth.validateAuthResponse(as, client, altered, state), {
        code: 'OAUTH_INVALID_RESPONSE',
      });
    }
  });

  test('a wrong verifier, address or client gets nothing for a code', async () => {
    const registered = await register({ token_endpoint_auth_method: 'none' });
    const another = await register({ token_endpoint_auth_method: 'none' });
    const way = await authorize(registered.client);
    const invalid = refusedWith('invalid_grant');
    await assert.rejects(
      exchange(registered, { ...way, verifier: oauth.generateRandomCodeVerifier() }),
      invalid,
    );
    await assert.rejects(exchange(registered, { ...way, redirectUri: `${callback}/elsewhere` }), invalid);
    const stolen = { ...way, checked: oauth.validateAuthResponse(as, another.client, way.answer, way.state) };
    await assert.rejects(exchange(another, stolen), invalid);
    assert.ok((await exchange(registered, way)).access_token);
  });

  test('a code that is brought twice ends what it gave', async () => {
    const registered = await register();
    const way = await authorize(registered.client);
    const tokens = await exchange(registered, way);
    await assert.rejects(exchange(registered, way), refusedWith('invalid_grant'));
    assert.equal((await whoami(tokens.access_token)).status, 401);
    await assert.rejects(refresh(registered, tokens.refresh_token ?? ''), refusedWith('invalid_grant'));
  });

  test('a program on the own machine may listen on any port', async () => {
    const registered = await register({ token_endpoint_auth_method: 'none' });
    const way = await authorize(registered.client, scout, {
      redirect_uri: 'http://localhost:40123/callback',
    });
    assert.equal(way.answer.host, 'localhost:40123');
    assert.ok((await exchange(registered, way)).access_token);
  });

  for (const [what, changes] of /** @type {const} */ ([
    ['redirect address', { redirect_uri: 'https://elsewhere.example/callback' }],
    ['redirect path', { redirect_uri: `${callback}/more` }],
    ['client', { client_id: 'nobody' }],
  ])) {
    test(`an unknown ${what} is told to the person and sent nowhere`, async () => {
      const { client } = await register({ token_endpoint_auth_method: 'none' });
      const { address } = await ask(client, changes);
      const shown = await newPerson().open(address);
      assert.ok(shown instanceof Page && shown.status === 400, `${shown}`);
      assert.ok(!shown.asksFor('agent'));
    });
  }

  for (const [what, changes, error] of /** @type {const} */ ([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['an implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['another scope', { scope: 'admin' }, 'invalid_scope'],
    ["somebody else's resource", { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ])) {
    test(`a request with ${what} goes back to a client that was let in before`, async () => {
      const { client } = await register({ token_endpoint_auth_method: 'none' });
      const { address, state } = await ask(client, changes);
      const shown = await newPerson().open(address);
      assert.ok(shown instanceof Page && shown.status === 400 && !shown.asksFor('agent'), `${shown}`);
      await authorize(client);
      const answer = await newPerson().open(address);
      assert.ok(answer instanceof URL, `${answer}`);
      assert.throws(() => oauth.validateAuthResponse(as, client, answer, state), {
        name: 'AuthorizationResponseError',
        error,
      });
    });
  }

  test("the page offers the person's own agents, and takes no other", async () => {
    const { client } = await register({ token_endpoint_auth_method: 'none' });
    const { address } = await ask(client);
    const person = newPerson();
    const page = await person.open(address);
    assert.ok(page instanceof Page, `${page}`);
    const choices = page.form.querySelectorAll('input[type=radio]');
    assert.deepEqual(choices.map((choice) => choice.getAttribute('value')).sort(), [...agents].sort());
    choices[0]?.setAttribute('value', stranger);
    const again = await person.submit(page, { agent: stranger }, 'Allow');
    assert.ok(again instanceof Page && again.status === 403 && again.asksFor('agent'), `${again}`);
  });

  test('a denial goes back to the client', async () => {
    const { client } = await register({ token_endpoint_auth_method: 'none' });
    const { address, state } = await ask(client);
    const answer = await newPerson().answer(address, { press: 'Deny' });
    assert.throws(() => oauth.validateAuthResponse(as, client, answer, state), { error: 'access_denied' });
  });

  test('a token is bound to the resource that was asked for', async () => {
    const registered = await register();
    const resource = `${origin}/mcp`;
    const way = await authorize(registered.client, scout, { resource });
    const elsewhere = { additionalParameters: { resource: `${origin}/elsewhere` } };
    await assert.rejects(exchange(registered, way, elsewhere), refusedWith('invalid_target'));
    const tokens = await exchange(registered, way, { additionalParameters: { resource } });
    assert.equal((await introspect(registered, tokens.access_token)).aud, resource);
  });
});

describe('client authentication', () => {
  test('a wrong secret in the header is challenged there', async () => {
    const { client } = await register();
    const auth = oauth.ClientSecretBasic('svcs_wrong');
    await assert.rejects(introspect({ client, auth }, 'anything'), (error) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError, `${error}`);
      assert.equal(error.status, 401);
      assert.deepEqual(
        error.cause.map(({ scheme }) => scheme),
        ['basic'],
      );
      return true;
    });
  });

  for (const [what, method, auth] of /** @type {const} */ ([
    ['wrong secret in the form', 'client_secret_post', oauth.ClientSecretPost('svcs_wrong')],
    ['missing secret', 'client_secret_post', oauth.None()],
    ['secret of a client that has none', 'none', oauth.ClientSecretPost('svcs_wrong')],
  ])) {
    test(`a ${what} is refused`, async () => {
      const { client } = await register({ token_endpoint_auth_method: method });
      await assert.rejects(refresh({ client, auth }, 'anything'), refusedWith('invalid_client', 401));
    });
  }

  test('an unknown client is refused', async () => {
    const nobody = { client: { client_id: 'nobody' }, auth: oauth.None() };
    await assert.rejects(refresh(nobody, 'anything'), refusedWith('invalid_client', 401));
  });
});

describe('introspection', () => {
  test('a client learns about its own tokens and no others', async () => {
    const registered = await register();
    const another = await register({ token_endpoint_auth_method: 'client_secret_post' });
    const tokens = await exchange(registered, await authorize(registered.client, scribe));
    const facts = await introspect(registered, tokens.access_token);
    assert.equal(facts.active, true);
    assert.deepEqual(
      [facts.client_id, facts.scope, facts.username, facts.sub, facts.iss, facts.token_type],
      [registered.client.client_id, 'mcp', username, scribe, origin, 'Bearer'],
    );
    assert.equal(Number(facts.exp) - Number(facts.iat), 3600);
    assert.equal((await introspect(registered, tokens.refresh_token ?? '')).active, true);
    assert.deepEqual(await introspect(another, tokens.access_token), { active: false });
    assert.deepEqual(await introspect(registered, 'nothing'), { active: false });

    // Nor can it end them.
    await revoke(another, tokens.refresh_token ?? '');
    assert.equal((await whoami(tokens.access_token)).status, 200);
    await revoke(registered, tokens.refresh_token ?? '');
    assert.deepEqual(await introspect(registered, tokens.access_token), { active: false });
  });
});

describe('client credentials', () => {
  const grant = async (/** @type {Registered} */ { client, auth }) => {
    const response = await oauth.clientCredentialsGrantRequest(as, client, auth, { scope: 'mcp' }, plainHttp);
    return oauth.processClientCredentialsResponse(as, client, response);
  };

  test('a client that was bound to an agent acts as it, without a person', async () => {
    const auth = oauth.ClientSecretBasic(bound.client_secret);
    const tokens = await grant({ client: bound, auth });
    assert.equal(tokens.refresh_token, undefined);
    const { identity } = await whoami(tokens.access_token);
    assert.deepEqual([identity.handle, identity.owner], [scout, username]);
    assert.equal((await introspect({ client: bound, auth }, tokens.access_token)).sub, scout);
    await revoke({ client: bound, auth }, tokens.access_token);
    assert.equal((await whoami(tokens.access_token)).status, 401);
  });

  test('a client that registered itself cannot act by itself', async () => {
    await assert.rejects(grant(await register()), refusedWith('unauthorized_client'));
  });
});

describe('device grant', () => {
  const device = {
    token_endpoint_auth_method: 'none',
    redirect_uris: [],
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  };

  const begin = async (/** @type {Registered} */ { client, auth }) => {
    const response = await oauth.deviceAuthorizationRequest(as, client, auth, { scope: 'mcp' }, plainHttp);
    return oauth.processDeviceAuthorizationResponse(as, client, response);
  };
  const poll = async (/** @type {Registered} */ { client, auth }, /** @type {string} */ code) => {
    const response = await oauth.deviceCodeGrantRequest(as, client, auth, code, plainHttp);
    return oauth.processDeviceCodeResponse(as, client, response);
  };

  test('a device acts as the agent that was chosen for it', async () => {
    const registered = await register(device);
    const begun = await begin(registered);
    assert.ok(begun.verification_uri_complete?.startsWith(begun.verification_uri));
    await assert.rejects(poll(registered, begun.device_code), refusedWith('authorization_pending'));
    const typed = { code: begun.user_code.toLowerCase().replace('-', ' '), agent: scribe };
    const shown = await newPerson().connectDevice(begun.verification_uri, typed);
    assert.ok(shown instanceof Page && shown.status === 200, `${shown}`);
    const tokens = await poll(registered, begun.device_code);
    assert.equal((await whoami(tokens.access_token)).identity.handle, scribe);
    const next = await refresh(registered, tokens.refresh_token ?? '');
    assert.equal((await whoami(next.access_token)).identity.handle, scribe);
    await assert.rejects(poll(registered, begun.device_code), refusedWith('invalid_grant'));
  });

  test('a device that asks too often is told so', async () => {
    const registered = await register(device);
    const begun = await begin(registered);
    assert.equal(begun.interval, 5);
    await assert.rejects(poll(registered, begun.device_code), refusedWith('authorization_pending'));
    await assert.rejects(poll(registered, begun.device_code), refusedWith('slow_down'));
  });

  test('a person can say no to a device', async () => {
    const registered = await register(device);
    const begun = await begin(registered);
    await newPerson().connectDevice(begun.verification_uri_complete ?? '', { press: 'Deny' });
    await assert.rejects(poll(registered, begun.device_code), refusedWith('access_denied'));
  });

  test("nobody else's device code is known", async () => {
    const [registered, another] = [await register(device), await register(device)];
    const begun = await begin(registered);
    await assert.rejects(poll(another, begun.device_code), refusedWith('invalid_grant'));
    await assert.rejects(poll(registered, 'nothing'), refusedWith('invalid_grant'));
  });

  test('a client that did not register for it gets no device code', async () => {
    await assert.rejects(begin(await register()), refusedWith('unauthorized_client'));
  });
});
