/** Hubs for the journeys in a terminal: the one that a script has started, and others that a journey starts, and kills. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from './terminal.mjs';

const REVISION = '2025-06-18';

/** @param {string} name */
function told(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run scripts/terminal-journeys.`);
  return value;
}

/** The program under test. */
export const program = () => told('SVC_TUI_PROGRAM');

/** Somebody who calls the hub: a person with a login, or an agent with a key. */
export class Caller {
  /** @param {string} origin @param {string} name @param {Record<string, string>} headers */
  constructor(origin, name, headers) {
    this.origin = origin;
    this.name = name;
    this.headers = headers;
  }

  /** @param {string} method @param {string} address @param {object} [body] @returns {Promise<any>} */
  async call(method, address, body) {
    const response = await fetch(this.origin + address, {
      method,
      headers: { ...this.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${address} answered with ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** @param {string} address */
  get(address) {
    return this.call('GET', address);
  }

  /** @param {string} address @param {object} [body] */
  post(address, body = {}) {
    return this.call('POST', address, body);
  }

  /** @param {object} message */
  say(message) {
    return this.post('/api/messages', message);
  }

  /** The latest messages of a channel, the oldest first. @param {string} channel @returns {Promise<any[]>} */
  async messages(channel) {
    return (await this.get(`/api/channels/${channel}/messages?limit=100`)).messages;
  }

  /** Makes an agent of this person. @param {string} name @param {object} [settings] */
  async agent(name, settings = {}) {
    const { key } = await this.post('/api/agents', { name, display_name: name });
    if (Object.keys(settings).length > 0) await this.call('PATCH', `/api/agents/${name}`, settings);
    return new Caller(this.origin, name, { authorization: `Bearer ${key}` });
  }

  /** Calls a tool over MCP, in a session of its own. @param {string} tool @param {object} args */
  async tool(tool, args) {
    const clientInfo = { name: 'journey', version: '1' };
    const begin = { protocolVersion: REVISION, capabilities: {}, clientInfo };
    const { session } = await this.#mcp(undefined, { id: 0, method: 'initialize', params: begin });
    await this.#mcp(session, { method: 'notifications/initialized' });
    const { text } = await this.#mcp(session, {
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: args },
    });
    assert.ok(/"id":\s*1\b/.test(text) && !/"isError":\s*true/.test(text), `${tool}: ${text}`);
  }

  /** @param {string | undefined} session @param {object} message */
  async #mcp(session, message) {
    const response = await fetch(`${this.origin}/mcp`, {
      method: 'POST',
      headers: {
        ...this.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': REVISION }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    const text = await response.text();
    assert.ok(response.ok, `/mcp answered with ${response.status}: ${text}`);
    return { session: response.headers.get('mcp-session-id') ?? undefined, text };
  }
}

export class Hub {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #server;

  /** @param {{ origin: string, data: string, socket: string, username: string, password: string, place?: string }} facts */
  constructor({ origin, data, socket, username, password, place }) {
    this.origin = origin;
    this.data = data;
    this.socket = socket;
    this.username = username;
    this.password = password;
    this.place = place;
  }

  /** The hub that the script has started. */
  static shared() {
    return new Hub({
      origin: told('SVC_URL'),
      data: told('SVC_DATA'),
      socket: told('SVC_ADMIN_SOCKET'),
      username: told('SVC_USERNAME'),
      password: told('SVC_PASSWORD'),
    });
  }

  /** A new hub with a server of its own. */
  static async start() {
    const place = mkdtempSync(path.join(tmpdir(), 'svc-hub-'));
    const origin = `http://127.0.0.1:${await freePort()}`;
    const [data, socket] = [path.join(place, 'data'), path.join(place, 'admin.sock')];
    const hub = new Hub({ origin, data, socket, username: '', password: '', place });
    try {
      await hub.resume();
      const first = readFileSync(path.join(place, 'told'), 'utf8');
      hub.username = /^ *username: (.*)$/m.exec(first)?.[1] ?? '';
      hub.password = /^ *password: (.*)$/m.exec(first)?.[1] ?? '';
      assert.ok(
        hub.username && hub.password,
        'the server did not print the name and password of its first account',
      );
    } catch (error) {
      await hub.stop();
      throw error;
    }
    return hub;
  }

  /** Starts the server, at the same port as before. */
  async resume() {
    assert.ok(this.place, 'the server of the script is not this journey’s to start');
    const output = createWriteStream(path.join(this.place, 'told'), { flags: 'a' });
    const log = createWriteStream(path.join(this.place, 'server.log'), { flags: 'a' });
    const server = spawn(
      told('SVC_SERVER_PROGRAM'),
      ['--data', this.data, '--listen', new URL(this.origin).host],
      {
        env: {
          PATH: process.env['PATH'],
          SVC_ADMIN_SOCKET: this.socket,
          // Journeys log in more often than people do, and need no protection from guessing.
          SVC_BCRYPT_COST: '4',
          SVC_RATE_LIMIT_READ: '0',
          SVC_RATE_LIMIT_WRITE: '0',
          SVC_RATE_LIMIT_AUTH: '0',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#server = server;
    server.stdout.pipe(output);
    server.stderr.pipe(log);
    await eventually(
      async () => {
        assert.equal(server.exitCode, null, 'the server ended before it was ready');
        const answer = await fetch(`${this.origin}/readyz`).catch(() => undefined);
        await answer?.body?.cancel();
        return answer?.ok;
      },
      () => 'the server was not ready in time',
    );
  }

  /** Ends the server, and waits until it has ended. @param {NodeJS.Signals} signal */
  async pauseWith(signal) {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  }

  /** Ends the server and removes its data. */
  async stop() {
    await this.pauseWith('SIGTERM');
    if (this.place) rmSync(this.place, { recursive: true, force: true });
  }

  /** Logs a person in; the first account if none is named. */
  async logIn(username = this.username, password = this.password) {
    const response = await fetch(`${this.origin}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.origin },
      body: JSON.stringify({ username, password }),
    });
    assert.ok(response.ok, `the login failed with ${response.status}: ${await response.text()}`);
    const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    return new Caller(this.origin, username, { cookie: cookies.join('; '), origin: this.origin });
  }

  /** Makes a person, with the password of the first account. @param {string} name */
  async person(name) {
    const socket = connect(this.socket);
    const params = { name, display_name: name, password: this.password };
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'users.create', params })}\n`);
    for await (const line of createInterface({ input: socket })) {
      socket.destroy();
      const { error } = JSON.parse(line);
      assert.equal(error, undefined, `users.create: ${error?.message}`);
      break;
    }
    return this.logIn(name);
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
