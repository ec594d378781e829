/** A server that is lost and comes back: nothing that was written is lost, and nothing is sent twice. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Hub, program } from './hub.mjs';
import { eventually, Home, Terminal } from './terminal.mjs';

/** @type {Hub} */
let hub;
/** @type {import('./hub.mjs').Caller} */
let owner;
/** @type {Home} */
let home;
/** @type {Terminal[]} */
let terminals = [];

beforeEach(async () => {
  hub = await Hub.start();
  home = new Home();
  owner = await hub.logIn();
  for (const name of ['kitchen', 'ops']) await owner.post('/api/channels', { name });
});
afterEach(async () => {
  await Promise.all(terminals.map((terminal) => terminal.close()));
  terminals = [];
  home?.remove();
  await hub?.stop();
});

/** Starts the UI, with a login if there is none yet. @param {string[]} place */
async function start(...place) {
  const terminal = await Terminal.start([program(), ...place], { env: home.variables });
  terminals.push(terminal);
  if ((await terminal.shows(/● live|Username/)).includes('Username')) {
    await terminal.type(hub.username);
    await terminal.keys('Tab');
    await terminal.type(hub.password);
    await terminal.keys('Enter');
  }
  await terminal.shows('● live');
  // The palette offers the conversations that are known.
  await terminal.keys('g', 'c');
  await terminal.shows('#general', 'join or write');
  await terminal.keys('Tab');
  await terminal.hides('join or write');
  return terminal;
}

/** @param {Terminal} terminal @param {string} text */
async function open(terminal, text) {
  await terminal.keys('C-k');
  await terminal.shows('╭ Go to ─');
  await terminal.type(text);
  await terminal.keys('Enter');
  await terminal.shows(`Write to ${text}`);
  await terminal.hides('Loading …');
}

/** The files with drafts and messages that wait. */
function kept() {
  const folder = path.join(home.variables.XDG_STATE_HOME, 'svc', 'tui');
  return readdirSync(folder)
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
}

/** @param {string} channel @param {string} body */
async function count(channel, body) {
  return (await owner.messages(channel)).filter((message) => message.body === body).length;
}

test('a draft stays, and a message is sent once when the server is back', async () => {
  const terminal = await start('--url', hub.origin);
  await open(terminal, '#kitchen');
  await terminal.keys('i');
  await terminal.type('half a thought');
  await terminal.shows('half a thought');
  await open(terminal, '#ops');

  await hub.pauseWith('SIGKILL');
  await terminal.shows('no connection');
  await terminal.keys('i');
  await terminal.type('Is anybody there?');
  await terminal.keys('Enter');
  await terminal.shows('1 unsent', 'Is anybody there?');
  await terminal.type('And a second one.');
  await terminal.keys('Enter');
  await terminal.shows('2 unsent', 'And a second one.');

  await hub.resume();
  await terminal.shows('● live');
  await terminal.hides('unsent');
  await terminal.hides('sending …');
  await terminal.shows('Is anybody there?', 'And a second one.');
  const bodies = (await owner.messages('ops')).map((message) => message.body);
  assert.deepEqual(
    bodies.filter((body) => /anybody|second/.test(body)),
    ['Is anybody there?', 'And a second one.'],
  );

  // What happens from now on arrives too.
  await owner.say({ channel: 'ops', body: 'I am.' });
  await terminal.shows('I am.');
  await open(terminal, '#kitchen');
  await terminal.shows('half a thought');
});

test('what happened meanwhile is there after the server is back', async () => {
  const relay = await Relay.to(hub.origin);
  try {
    const terminal = await start('--url', relay.origin);
    await open(terminal, '#ops');
    relay.down();
    await terminal.shows('no connection');
    await owner.say({ channel: 'ops', body: 'You have missed this.' });
    relay.up();
    await terminal.shows('● live', 'You have missed this.');
  } finally {
    await relay.close();
  }
});

test('a message whose answer is lost is sent once', async () => {
  const relay = await Relay.to(hub.origin);
  try {
    const terminal = await start('--url', relay.origin);
    await open(terminal, '#ops');
    relay.loseAnswers();
    await terminal.keys('i');
    await terminal.type('Only once, please.');
    await terminal.keys('Enter');
    await terminal.shows('1 unsent');
    await terminal.shows('no connection');
    relay.up();
    await terminal.shows('● live');
    await terminal.hides('unsent');
    assert.equal(await count('ops', 'Only once, please.'), 1);
  } finally {
    await relay.close();
  }
});

test('a message and a draft survive kill -9 of the program without a server', async () => {
  const terminal = await start('--url', hub.origin);
  await open(terminal, '#ops');
  await hub.pauseWith('SIGKILL');
  await terminal.shows('no connection');
  await terminal.keys('i');
  await terminal.type('Sent by the next start.');
  await terminal.keys('Enter');
  await terminal.shows('1 unsent');
  await terminal.type('half a thought');
  await terminal.shows('half a thought');
  await eventually(
    () => kept().includes('half a thought') && kept().includes('Sent by the next start.'),
    () => `the draft is not kept: ${kept()}`,
  );
  await terminal.kill('SIGKILL');
  await terminal.ended();

  await hub.resume();
  const again = await start('--url', hub.origin);
  await again.hides('unsent');
  await open(again, '#ops');
  await again.shows('Sent by the next start.', 'half a thought');
  assert.equal(await count('ops', 'Sent by the next start.'), 1);
});

test('the store is used without its server', async () => {
  const terminal = await start('--data', hub.data);
  await open(terminal, '#ops');
  await hub.pauseWith('SIGKILL');
  await terminal.keys('i');
  await terminal.type('The server is not needed.');
  await terminal.keys('Enter');
  await terminal.hides('sending …');
  await terminal.shows('The server is not needed.', '● live');
  await hub.resume();
  assert.equal(await count('ops', 'The server is not needed.'), 1);
  await owner.say({ channel: 'ops', body: 'Welcome back.' });
  await terminal.shows('Welcome back.');
});

test('a start without a server says so, and goes on when it is back', async () => {
  const terminal = await start('--url', hub.origin);
  await terminal.keys('q');
  await terminal.ended();
  await hub.pauseWith('SIGKILL');
  const again = await Terminal.start([program(), '--url', hub.origin], { env: home.variables });
  terminals.push(again);
  await again.shows('cannot be reached', 'no connection');
  await hub.resume();
  await again.shows('● live');
});

/** A way to a server that can be cut. */
class Relay {
  /** @type {Set<import('node:net').Socket>} */
  #open = new Set();
  /** @type {'up' | 'down' | 'mute'} */
  #state = 'up';
  /** @type {import('node:net').Server} */
  #server;

  /** @param {import('node:net').Server} server @param {string} origin */
  constructor(server, origin) {
    this.#server = server;
    this.origin = origin;
  }

  /** @param {string} origin */
  static async to(origin) {
    const { port, hostname } = new URL(origin);
    const server = createServer();
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const address = server.address();
    assert.ok(address && typeof address === 'object');
    const relay = new Relay(server, `http://127.0.0.1:${address.port}`);
    server.on('connection', (client) => relay.#connected(client, connect(Number(port), hostname)));
    return relay;
  }

  /** @param {import('node:net').Socket} client @param {import('node:net').Socket} target */
  #connected(client, target) {
    if (this.#state === 'down') {
      client.destroy();
      target.destroy();
      return;
    }
    for (const [from, to] of [
      [client, target],
      [target, client],
    ]) {
      if (!from || !to) continue;
      this.#open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#open.delete(from);
        to.destroy();
      });
      from.on('data', (data) => {
        // The request has been answered, but nobody learns how.
        if (from === target && this.#state === 'mute') client.destroy();
        else to.write(data);
      });
    }
  }

  up() {
    this.#state = 'up';
  }

  /** Cuts all connections, and lets no new ones through. */
  down() {
    this.#state = 'down';
    this.#open.forEach((socket) => socket.destroy());
  }

  /** Lets requests through, and cuts the connection instead of an answer. */
  loseAnswers() {
    this.#state = 'mute';
  }

  async close() {
    this.down();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
