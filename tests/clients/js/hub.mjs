/** The server that is judged, and who may log in there: scripts/client-journeys says so. */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Person } from './person.mjs';

/** @param {string} name */
function told(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run scripts/client-journeys.`);
  return value;
}

/** @param {{ client: { client_id: string }, client_secret: string }} made as `svc-admin` tells it */
function withSecret({ client, client_secret }) {
  return { client_id: client.client_id, client_secret };
}

export const origin = told('SVC_URL');
export const username = told('SVC_USERNAME');
/** Two agents of that user. */
export const agents = told('SVC_AGENTS').split(' ');
export const [scout, scribe] = agents;
/** An agent of somebody else. */
export const stranger = told('SVC_STRANGER');
/** A client that acts as the first agent by itself. */
export const bound = withSecret(JSON.parse(told('SVC_CLIENT')));
/** The address of something that needs a token. */
export const whoamiAddress = new URL('/api/whoami', origin);
/** Nobody listens there: the browser stops before it. */
export const callback = 'http://127.0.0.1:9/callback';

export function newPerson() {
  return new Person(origin, { username, password: told('SVC_PASSWORD') });
}

/** Where the programs are, and the data that the server works on. */
export const programs = told('SVC_PROGRAMS');
export const dataDirectory = told('SVC_DATA');

/** A new agent of a user who has many of them, for tests that want an inbox for themselves. */
export function newAgent() {
  const name = `agent-${randomUUID().slice(0, 8)}`;
  const words = ['--output', 'json', 'agents', 'create', name, '--owner', told('SVC_KEEPER')];
  const made = execFileSync(join(programs, 'svc-admin'), words, { encoding: 'utf8' });
  return { name, key: JSON.parse(made).key };
}

/** The headers of requests by the user who owns the new agents. */
export async function keeperHeaders() {
  const account = { username: told('SVC_KEEPER'), password: told('SVC_PASSWORD') };
  const response = await fetch(new URL('/auth/login', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(account),
  });
  const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  if (!response.ok) throw new Error(`the login failed with ${response.status}: ${await response.text()}`);
  return { cookie: cookies.join('; '), origin };
}

/**
 * Whom a token acts as.
 * @param {string} [token]
 */
export async function whoami(token) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(whoamiAddress, { headers });
  return { response, status: response.status, identity: await response.json() };
}
