/**
 * How it feels when there is much: a server of its own with a channel of 100,000 messages and 500 channels.
 * Times are compared with those of an empty channel on the same server, because machines differ.
 */

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { DESKTOP, logIn, post, useBrowser } from './journeys.mjs';
import { serverOrigin } from './visit.mjs';

const MESSAGES = 100_000;
const CHANNELS = 500;
const ROUNDS = 7;

/** @param {string} name */
function program(name) {
  const file = process.env[name];
  assert.ok(file, `${name} must name a program, as scripts/browser-journeys does`);
  return file;
}

const outer = { ...process.env };
/** @type {import('node:child_process').ChildProcess | undefined} */
let server;
/** @type {string} */
let place;

// Before the browser's own preparation, so that everything below is about this server.
before(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'svc-speed-'));
  const port = await freePort();
  const data = path.join(place, 'data');
  server = spawn(program('SVC_SERVER_PROGRAM'), ['--data', data, '--listen', `127.0.0.1:${port}`], {
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
  await promisify(execFile)(program('SVC_FILL_PROGRAM'), [data, String(MESSAGES), String(CHANNELS)]);
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

const { visit, screenshot } = useBrowser();

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

/** @param {number[]} times */
function median(times) {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/**
 * How long it takes from a press on a channel's link until its contents are there, in milliseconds.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} channel
 * @param {string} settled
 */
async function opening(page, channel, settled) {
  await page.goto('/channels');
  await page.locator('main li').first().waitFor();
  return page.evaluate(
    ({ channel, settled }) =>
      new Promise((done, fail) => {
        const link = document.querySelector(`a[href="/c/${channel}"]`);
        if (!(link instanceof HTMLElement)) return fail(new Error(`no link to ${channel}`));
        const begun = performance.now();
        const look = () => {
          if (document.querySelector(settled)) return done(performance.now() - begun);
          if (performance.now() - begun > 10_000) return fail(new Error(`${settled} did not appear`));
          requestAnimationFrame(look);
        };
        link.click();
        look();
      }),
    { channel, settled },
  );
}

test('a channel of 100,000 messages opens as fast as an empty one', () =>
  visit(
    async (page) => {
      await logIn(page);
      await post(page, '/api/channels', { name: 'empty' });
      /** @type {{ empty: number[], long: number[] }} */
      const times = { empty: [], long: [] };
      for (let round = 0; round < ROUNDS; round += 1) {
        times.empty.push(Number(await opening(page, 'empty', 'main h2')));
        times.long.push(Number(await opening(page, 'long', 'main article')));
      }
      await screenshot(page, 'speed-long', { fullPage: false });
      const [empty, long] = [median(times.empty), median(times.long)];
      console.log(`opening: empty ${empty.toFixed(0)} ms, 100,000 messages ${long.toFixed(0)} ms`);
      assert.ok(long <= Math.max(2 * empty, 300), `${long} ms against ${empty} ms`);
    },
    { options: { viewport: DESKTOP } },
  ));

test('scrolling back through it keeps the pace of the screen', () =>
  visit(async (page) => {
    await logIn(page);
    await page.goto('/c/long');
    await page.locator('main article').first().waitFor();
    const frames = await page.evaluate(async () => {
      const scroller = [...document.querySelectorAll('main, main *')].find(
        (element) =>
          element.scrollHeight > element.clientHeight + 100 &&
          getComputedStyle(element).overflowY !== 'visible',
      );
      if (!scroller) throw new Error('nothing scrolls');
      const seen = new Set();
      const times = [];
      let last = performance.now();
      for (let step = 0; step < 240; step += 1) {
        scroller.scrollBy(0, -400);
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        times.push(now - last);
        last = now;
        for (const row of scroller.querySelectorAll('article')) seen.add(row.id);
      }
      return { times, seen: seen.size };
    });
    console.log(`scrolling: ${frames.seen} messages, a frame takes ${median(frames.times).toFixed(1)} ms`);
    assert.ok(frames.seen > 150, `only ${frames.seen} messages were seen`);
    assert.ok(median(frames.times) <= 34, `half of the frames take longer than ${median(frames.times)} ms`);
  }));

test('what an agent says over MCP is on the screen at once', () =>
  visit(async (page) => {
    await logIn(page);
    const { key } = await post(page, '/api/agents', { name: 'herald' });
    // Whoever has read everything looks at the end.
    const read = await page.request.post('/api/notifications/mark-read', {
      data: { kind: 'channel', name: 'long' },
      headers: { origin: serverOrigin() },
    });
    assert.equal(read.status(), 204);
    await page.goto('/c/long');
    await page.locator('main article').first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    /** @type {number[]} */
    const delays = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const text = `Herald speaks, ${round}`;
      const seen = page.evaluate(
        (text) =>
          new Promise((done, fail) => {
            const begun = performance.now();
            const look = () => {
              const now = performance.now();
              if (document.querySelector('main')?.textContent?.includes(text))
                done(performance.timeOrigin + now);
              else if (now - begun > 10_000) fail(new Error(`${text} did not appear`));
              else requestAnimationFrame(look);
            };
            look();
          }),
        text,
      );
      const answer = await fetch(`${serverOrigin()}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'send_channel_message',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: round,
          method: 'tools/call',
          params: {
            name: 'send_channel_message',
            arguments: { channel: 'long', body: text },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'herald', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      });
      const sent = performance.timeOrigin + performance.now();
      assert.ok(answer.ok, `the hub answered with ${answer.status}: ${await answer.text()}`);
      delays.push(Number(await seen) - sent);
    }
    console.log(`from the answer to the screen: ${median(delays).toFixed(0)} ms`);
    assert.ok(median(delays) <= 200, `${delays} ms`);
  }));
