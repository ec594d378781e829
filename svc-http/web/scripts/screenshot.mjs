/**
 * Fills an empty hub with a release day and takes a picture of its channel. `scripts/screenshot` starts the server; this
 * needs its address in `SVC_URL`, its admin socket in `SVC_ADMIN_SOCKET`, and the file to write as an argument.
 */

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { request } from 'playwright-core';
import { launch, serverOrigin } from '../tests/browser/visit.mjs';

/** @typedef {import('playwright-core').APIRequestContext} Caller */

const CHANNEL = 'release';
const PASSWORD = 'a password for one picture';
const SIZE = { width: 1440, height: 900 };

const file = process.argv[2];
assert.ok(file, 'the file to write is missing: screenshot.mjs FILE');
const origin = serverOrigin();

/** When each message was written, as it is shown: the server writes all of them within a second. @type {Map<number, string>} */
const times = new Map();

/** @param {Record<string, string>} headers */
const callerWith = (headers) => request.newContext({ baseURL: origin, extraHTTPHeaders: headers });

/** @param {Caller} caller @param {'post' | 'put'} method @param {string} address @param {object} [data] */
async function call(caller, method, address, data = {}) {
  const response = await caller[method](address, { data });
  assert.ok(response.ok(), `${address} answered with ${response.status()}: ${await response.text()}`);
  return response.status() === 204 ? undefined : response.json();
}

/** Calls a method on the admin socket. @param {string} method @param {object} params */
async function administer(method, params) {
  const socket = connect(process.env['SVC_ADMIN_SOCKET'] ?? '');
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
  for await (const line of createInterface({ input: socket })) {
    socket.destroy();
    const { error, result } = JSON.parse(line);
    assert.equal(error, undefined, `${method}: ${error?.message}`);
    return result;
  }
  assert.fail(`${method} got no answer`);
}

/** @param {string} name @param {string} display_name */
async function person(name, display_name) {
  await administer('users.create', { name, display_name, password: PASSWORD });
  const caller = await callerWith({ origin });
  await call(caller, 'post', '/auth/login', { username: name, password: PASSWORD });
  return caller;
}

/** @param {Caller} owner @param {string} name @param {string} display_name */
async function agent(owner, name, display_name) {
  const { key } = await call(owner, 'post', '/api/agents', { name, display_name });
  return callerWith({ authorization: `Bearer ${key}` });
}

/**
 * Sends a message that is shown with a time of today.
 *
 * @param {Caller} caller @param {string} time such as `09:30` @param {object} message
 * @returns {Promise<number>} its id
 */
async function say(caller, time, message) {
  const { id } = await call(caller, 'post', '/api/messages', message);
  times.set(id, time);
  return id;
}

/** @param {Caller} caller @param {number} id @param {string[]} reactions */
async function react(caller, id, ...reactions) {
  for (const reaction of reactions) await call(caller, 'post', `/api/messages/${id}/reactions`, { reaction });
}

/** @param {Caller} caller @param {string} name @param {string} mimeType @param {Buffer} buffer */
async function upload(caller, name, mimeType, buffer) {
  const response = await caller.post('/api/attachments', { multipart: { file: { name, mimeType, buffer } } });
  assert.ok(response.ok(), await response.text());
  return /** @type {{ hash: string }} */ (await response.json()).hash;
}

/** @param {import('playwright-core').Browser} browser */
async function chart(browser) {
  const page = await browser.newPage({ viewport: { width: 480, height: 200 }, deviceScaleFactor: 2 });
  const bars = [
    { name: 'before', value: 9.4, colour: '#b8bcc6' },
    { name: 'after', value: 0.03, colour: '#3d51c9' },
  ];
  const rows = bars.map(
    ({ name, value, colour }, index) =>
      `<text x="20" y="${94 + index * 56}" fill="#555a63">${name}</text>
       <rect x="84" y="${74 + index * 56}" width="${Math.max(3, value * 33)}" height="30" rx="4" fill="${colour}"/>
       <text x="${Math.max(3, value * 33) + 94}" y="${94 + index * 56}" font-weight="600">${value} s</text>`,
  );
  await page.setContent(`<body style="margin:0"><svg width="480" height="200" font-family="sans-serif" font-size="15">
    <rect width="480" height="200" fill="#fff"/>
    <text x="20" y="38" font-size="17" font-weight="600">Write lock on “messages”, 41 M rows</text>${rows.join('')}</svg>`);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

/** @param {import('playwright-core').Browser} browser */
async function seed(browser) {
  const ann = await person('ann', 'Ann Carter');
  const tom = await person('tom', 'Tom Berg');
  const reviewer = await agent(ann, 'reviewer', 'Reviewer');
  const builder = await agent(tom, 'builder', 'Builder');
  const writer = await agent(ann, 'writer', 'Release Writer');
  const everybody = ['tom', 'reviewer', 'builder', 'writer'];

  for (const [name, topic] of [
    ['incidents', 'What is down, and who is on it'],
    ['roadmap', 'What comes next'],
    ['support', 'Questions from customers'],
  ]) {
    await call(ann, 'post', '/api/channels', { name, topic, members: everybody });
  }
  await call(ann, 'post', '/api/channels', {
    name: CHANNEL,
    topic: '2.4.0 ships today at 14:00 UTC',
    members: everybody,
  });
  await call(ann, 'put', `/api/channels/${CHANNEL}/settings`, { workflow_enabled: true });

  // What is not on screen: unread counts in the sidebar.
  await say(tom, '08:55', { channel: 'support', body: 'Two customers ask for the export in CSV.' });
  await say(tom, '08:56', {
    channel: 'roadmap',
    body: 'Notes of the planning are up, @ann please read them.',
  });
  await say(builder, '08:57', { to: 'ann', body: 'The nightly build is green.' });
  await say(ann, '08:58', { to: 'reviewer', body: 'Please review migration 0042.' });
  await say(ann, '08:58', { to: 'tom', body: 'I will be in #release all morning.' });

  const channel = CHANNEL;
  const suite = await say(tom, '09:02', {
    channel,
    body: '@builder please run the full test suite on `release/2.4`.',
  });
  await react(ann, suite, 'approve');
  await react(builder, suite, 'in_progress', 'done');
  const results = await say(builder, '09:21', {
    channel,
    body: 'All green at `4f9c2e1`:\n\n| suite | passed | failed | time |\n|---|---|---|---|\n| unit | 4,812 | 0 | 1m 52s |\n| integration | 1,204 | 0 | 7m 40s |\n| browser | 316 | 0 | 4m 05s |',
    reply_to: suite,
  });
  await react(tom, results, 'approve');
  const question = await say(ann, '09:22', {
    channel,
    body: 'Does that include the upgrade from 2.3?',
    reply_to: suite,
  });
  await react(builder, question, 'done');
  const answer = await say(builder, '09:22', {
    channel,
    body: 'Yes, from 2.2 and 2.3, each with a copy of the production schema.',
    reply_to: suite,
  });
  await react(ann, answer, 'approve');

  const migration = await say(reviewer, '09:26', {
    channel,
    body: 'Migration 0042 holds a write lock on `messages` during the whole backfill. I propose to build the index concurrently:\n\n```sql\nCREATE INDEX CONCURRENTLY messages_by_thread\n    ON messages (thread_id, id);\n```',
  });
  await react(ann, migration, 'approve');
  await react(tom, migration, 'approve');
  await react(builder, migration, 'in_progress');

  const measured = await say(builder, '09:43', {
    channel,
    body: 'Measured on staging: the write lock goes from **9.4 s** to **0.03 s**. @tom can we merge?',
    attachments: [await upload(builder, 'write-lock.png', 'image/png', await chart(browser))],
  });
  await react(tom, measured, 'approve', 'published');

  const notes = Buffer.from('# 2.4.0\n\n- Threads load twice as fast.\n- Files up to 50 MiB.\n'.repeat(40));
  const draft = await say(writer, '09:47', {
    channel,
    body: 'The release notes for 2.4.0 are ready for review: 14 changes from 31 merged branches.',
    attachments: [await upload(writer, 'release-notes-2.4.0.md', 'text/markdown', notes)],
  });
  await react(tom, draft, 'approve');

  await call(ann, 'post', '/api/tasks', {
    title: 'Update the upgrade guide for 2.4',
    body: 'One page: what changes, and how to roll back.',
    channel,
  });
  const newest = await ann.get(`/api/channels/${channel}/messages?limit=1`);
  times.set((await newest.json()).messages[0].id, '09:52');
  for (const reader of [ann, tom, builder]) {
    await call(reader, 'post', '/api/notifications/mark-read', [{ kind: 'channel', name: channel }]);
  }
  return { ann, thread: suite };
}

const browser = await launch();
try {
  const { ann, thread } = await seed(browser);
  const context = await browser.newContext({
    baseURL: origin,
    viewport: SIZE,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
    serviceWorkers: 'block',
    storageState: await ann.storageState(),
  });
  const page = await context.newPage();
  const today = new Date().toISOString().slice(0, 11);
  await page.route(/\/api\/(channels|messages)\/.*(messages|thread)/, async (route) => {
    const response = await route.fetch();
    const text = JSON.stringify(await response.json(), function (key, value) {
      const time = key === 'created_at' ? times.get(this['id']) : undefined;
      return time === undefined ? value : `${today}${time}:00.000Z`;
    });
    await route.fulfill({ response, body: text });
  });
  await page.goto(`/c/${CHANNEL}?thread=${thread}`);
  await page.locator('.box img').first().waitFor();
  await page.getByRole('status').getByText('Live').waitFor();
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState('networkidle').catch(() => undefined);
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, picture);
} finally {
  await browser.close();
}
