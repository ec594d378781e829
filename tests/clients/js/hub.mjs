/** The server that is judged, and who may log in there: scripts/client-journeys says so. */

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

/**
 * Whom a token acts as.
 * @param {string} [token]
 */
export async function whoami(token) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(whoamiAddress, { headers });
  return { response, status: response.status, identity: await response.json() };
}
