/** A server for the journeys of one file, with an empty store. `SVC_SERVER_PROGRAM` names the program. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before } from 'node:test';

/** Starts it before the journeys and ends it after them. To be called before `useBrowser`. */
export function useOwnServer() {
  const outer = { ...process.env };
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server;
  /** @type {string} */
  let place;

  before(async () => {
    const file = process.env['SVC_SERVER_PROGRAM'];
    assert.ok(file, 'SVC_SERVER_PROGRAM must name a program, as scripts/browser-journeys does');
    place = await mkdtemp(path.join(tmpdir(), 'svc-own-'));
    const port = await freePort();
    server = spawn(file, ['--data', path.join(place, 'data'), '--listen', `127.0.0.1:${port}`], {
      env: {
        ...outer,
        SVC_ADMIN_SOCKET: path.join(place, 'admin.sock'),
        SVC_BCRYPT_COST: '4',
        SVC_RATE_LIMIT_AUTH: '0',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const said = await account(server);
    process.env['SVC_URL'] = `http://127.0.0.1:${port}`;
    process.env['SVC_USERNAME'] = said.username;
    process.env['SVC_PASSWORD'] = said.password;
  });
  after(async () => {
    if (server && server.exitCode === null) {
      const gone = once(server, 'exit');
      server.kill();
      await gone;
    }
    await rm(place, { recursive: true, force: true });
    Object.assign(process.env, outer);
  });
}

/**
 * The first account, as the server says it when it starts. What it says later is read too, so that it can go on.
 *
 * @param {import('node:child_process').ChildProcess} server
 * @returns {Promise<{ username: string, password: string }>}
 */
function account({ stdout }) {
  assert.ok(stdout);
  const lines = createInterface({ input: stdout });
  return new Promise((done, fail) => {
    let username = '';
    lines.on('line', (line) => {
      const [, name, value = ''] = /^\s*(username|password): (.*)$/.exec(line) ?? [];
      if (name === 'username') username = value;
      if (name === 'password') done({ username, password: value });
    });
    lines.on('close', () => fail(new Error('the server ended before it said its first account')));
  });
}

async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  assert.ok(address && typeof address === 'object');
  await new Promise((done) => listener.close(done));
  return address.port;
}
