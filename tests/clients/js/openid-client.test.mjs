/** The server through `openid-client`, as a web application uses it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as client from 'openid-client';
import { callback, newPerson, origin, scout, scribe, whoami, whoamiAddress } from './hub.mjs';

const server = new URL(origin);
/** The server under test speaks http, on the own machine. */
const options = { algorithm: /** @type {const} */ ('oauth2'), execute: [client.allowInsecureRequests] };

const register = (/** @type {Record<string, unknown>} */ metadata) =>
  client.dynamicClientRegistration(
    server,
    { client_name: 'Example application', ...metadata },
    undefined,
    options,
  );

/** @param {client.Configuration} config */
async function begin(config) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'mcp',
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return { address, checks: { pkceCodeVerifier: verifier, expectedState: state } };
}

test('code, call, refresh, introspection, revocation', async () => {
  const config = await register({ redirect_uris: [callback] });
  const { address, checks } = await begin(config);
  const answer = await newPerson().answer(address, { agent: scout });
  const tokens = await client.authorizationCodeGrant(config, answer, checks);
  assert.equal(tokens.expires_in, 3600);
  const response = await client.fetchProtectedResource(config, tokens.access_token, whoamiAddress, 'GET');
  assert.equal((await response.json()).handle, scout);

  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  assert.equal((await whoami(next.access_token)).identity.handle, scout);
  assert.equal((await client.tokenIntrospection(config, next.access_token)).active, true);
  await client.tokenRevocation(config, next.refresh_token ?? '');
  assert.equal((await client.tokenIntrospection(config, next.access_token)).active, false);
  await assert.rejects(
    client.fetchProtectedResource(config, next.access_token, whoamiAddress, 'GET'),
    (error) => error instanceof client.WWWAuthenticateChallengeError && error.cause[0]?.scheme === 'bearer',
  );
});

test('an answer with another state is not exchanged', async () => {
  const config = await register({ redirect_uris: [callback], token_endpoint_auth_method: 'none' });
  const { address, checks } = await begin(config);
  const answer = await newPerson().answer(address, { agent: scout });
  const altered = new URL(answer);
  altered.searchParams.set('state', client.randomState());
  await assert.rejects(client.authorizationCodeGrant(config, altered, checks), {
    code: 'OAUTH_INVALID_RESPONSE',
  });
  assert.ok((await client.authorizationCodeGrant(config, answer, checks)).access_token);
});

test('a device waits for its person', async () => {
  const config = await register({
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
    token_endpoint_auth_method: 'none',
  });
  const begun = await client.initiateDeviceAuthorization(config, { scope: 'mcp' });
  // The library asks for the first time after the interval, so by then the person has answered.
  await newPerson().connectDevice(begun.verification_uri_complete ?? '', { agent: scribe });
  const tokens = await client.pollDeviceAuthorizationGrant(config, begun);
  assert.equal((await whoami(tokens.access_token)).identity.handle, scribe);
});
