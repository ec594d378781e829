/** Journeys without a connection and through a newer version, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { DESKTOP, logIn, logOut, useBrowser } from './journeys.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

const { visit, screenshot } = useBrowser();
const INSTALLED = { options: { viewport: DESKTOP, serviceWorkers: /** @type {const} */ ('allow') } };

/** @param {import('playwright-core').Page} page */
async function installed(page) {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

test('an open page goes on without a connection, and says so', () =>
  visit(
    async (page) => {
      await logIn(page);
      await page.goto('/');
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByRole('region', { name: 'Recent conversations' }).waitFor();
      await page.context().setOffline(true);
      await page.getByText(/^You are offline\. Showing data from \d\d:\d\d/).waitFor();
      await page.getByRole('heading', { name: 'For you' }).waitFor();
      await screenshot(page, 'offline');
      await page.context().setOffline(false);
      await page.getByText(/^You are offline\. Showing/).waitFor({ state: 'detached' });
    },
    { ...INSTALLED, expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK_CHANGED/ },
  ));

/**
 * What this browser keeps of conversations and lists, as text by its names.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<Record<string, string>>}
 */
function keptIn(page) {
  return page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('svc-kept', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('kept');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const store = opening.result.transaction('kept').objectStore('kept');
          const [keys, values] = [store.getAllKeys(), store.getAll()];
          values.onsuccess = () => {
            opening.result.close();
            resolve(
              Object.fromEntries(keys.result.map((key, at) => [key, JSON.stringify(values.result[at])])),
            );
          };
        };
      }),
  );
}

/**
 * Waits until a text is kept under a name, besides the lists.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 * @param {string} text
 */
async function untilKept(page, name, text = '') {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const kept = await keptIn(page);
    if (kept['lists'] !== undefined && kept[name]?.includes(text)) return;
    assert.ok(Date.now() < deadline, `kept: ${Object.keys(kept).join(', ')}`);
  }
}

test('a page opened without a connection and without anything kept appears as soon as there is one', () =>
  visit(
    async (page) => {
      await page.goto('/docs');
      await installed(page);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await logIn(page);
      await page.context().setOffline(true);
      await page.goto('/analytics');
      await page.getByRole('heading', { name: 'Cannot reach the server' }).waitFor();
      await screenshot(page, 'offline-opened');
      await page.context().setOffline(false);
      await page.getByRole('heading', { name: 'Analytics', exact: true }).waitFor();
    },
    { ...INSTALLED, expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK_CHANGED/ },
  ));

test('a conversation opened without a connection shows what was there, and what is sent waits', () =>
  visit(
    async (page) => {
      await logIn(page);
      const agent = await makeAgent(page, unique('keeper'));
      const channel = unique('attic');
      await makeChannel(page, channel, { members: [agent.name] });
      await agent.say({ channel, body: 'The old letters are here' });
      await page.goto(`/c/${channel}`);
      await installed(page);
      await page.reload();
      await page.locator('article').filter({ hasText: 'The old letters' }).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      // What has come since the page was opened is kept too.
      await agent.say({ channel, body: 'And a **new** one' });
      await page.locator('article').filter({ hasText: 'And a new one' }).waitFor();
      await untilKept(page, `page channel ${channel}`, 'And a **new** one');

      await page.context().setOffline(true);
      await page.reload();
      await page.getByText(/^You are offline\. Showing data from \d\d:\d\d/).waitFor();
      await page.locator('article').filter({ hasText: 'The old letters' }).waitFor();
      await page.locator('article').filter({ hasText: 'And a new one' }).waitFor();
      await page.getByText(/^Offline\. Showing messages from/).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: channel }).waitFor();
      assert.deepEqual(await axeViolations(page), []);
      await page.getByRole('textbox', { name: `Message #${channel}` }).fill('Written in the dark');
      await page.keyboard.press('Enter');
      await page.getByText('The message is sent when the connection is back').waitFor();
      await screenshot(page, 'offline-conversation', { fullPage: false });

      await agent.say({ channel, body: 'Said meanwhile' });
      await page.context().setOffline(false);
      await page.locator('article').filter({ hasText: 'Said meanwhile' }).waitFor();
      // The article of a message that still waits has no id of a message.
      await page.locator('article[data-message]').filter({ hasText: 'Written in the dark' }).waitFor();
      await page
        .getByText(/^(You are offline|Offline\. Showing)/)
        .first()
        .waitFor({ state: 'detached' });
      const { messages } = await (await page.request.get(`/api/channels/${channel}/messages`)).json();
      assert.deepEqual(
        messages.map((/** @type {{ body: string }} */ { body }) => body),
        ['The old letters are here', 'And a **new** one', 'Said meanwhile', 'Written in the dark'],
      );
    },
    { ...INSTALLED, expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK_CHANGED/ },
  ));

test('nothing of a person is kept after the logout', () =>
  visit(async (page) => {
    await logIn(page);
    await page.goto('/c/general');
    await untilKept(page, 'page channel general');
    await logOut(page);
    await page.waitForURL('**/login*');
    await page.goto('/docs');
    assert.deepEqual(await keptIn(page), {});
  }));

test('the program keeps no answer of the server among its files', () =>
  visit(async (page) => {
    await logIn(page);
    await page.goto('/');
    await installed(page);
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const caches_ = await Promise.all(names.map((name) => caches.open(name)));
      const requests = await Promise.all(caches_.map((cache) => cache.keys()));
      return { names, paths: requests.flat().map(({ url }) => new URL(url).pathname) };
    });
    assert.equal(kept.names.length, 1);
    assert.match(kept.names[0] ?? '', /^svc-[\da-f]{16}$/);
    assert.ok(kept.paths.includes('/'));
    assert.deepEqual(
      kept.paths.filter(
        (path) => !/^\/$|^\/assets\/|^\/(theme\.js|start\.js|favicon\.svg|manifest\.webmanifest)$/.test(path),
      ),
      [],
    );
  }, INSTALLED));

test('the program can be installed', () =>
  visit(async (page) => {
    await page.goto('/docs');
    const manifest = await page.request.get('/manifest.webmanifest');
    assert.match(manifest.headers()['content-type'] ?? '', /^application\/manifest\+json/);
    const { icons, start_url } = await manifest.json();
    assert.equal(start_url, '/');
    for (const { src, type } of icons) {
      const icon = await page.request.get(src);
      assert.equal(icon.headers()['content-type'], type, src);
    }
    const worker = await page.request.get('/sw.js');
    assert.match(worker.headers()['content-type'] ?? '', /^text\/javascript/);
    assert.equal(worker.headers()['cache-control'], 'no-cache');
  }));

const BUDGET_BYTES = 200 * 1024;

/**
 * The files of the program that a page has loaded, with the bytes that each took on its way. Icons and the manifest,
 * less than 2 KiB together, are not told.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<Map<string, number>>}
 */
async function transferred(page) {
  const loaded = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
      (entry) =>
        /** @type {const} */ ([entry.name, /** @type {PerformanceResourceTiming} */ (entry).encodedBodySize]),
    ),
  );
  const program = loaded.flatMap(([name, bytes], at) => {
    const { origin, pathname } = new URL(name);
    const isProgram = at === 0 || /^\/(assets\/|theme\.js|start\.js)/.test(pathname);
    return origin === serverOrigin() && isProgram ? [/** @type {const} */ ([pathname, bytes])] : [];
  });
  return new Map(program);
}

for (const address of ['/', '/search', '/analytics']) {
  test(`the first load of ${address} stays within its budget`, () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto(address, { waitUntil: 'load' });
      await page.locator('h1').waitFor();
      await page.waitForLoadState('load');
      const loaded = await transferred(page);
      const list = [...loaded].map(([path, bytes]) => `${path} ${bytes}`).join(', ');
      const bytes = [...loaded.values()].reduce((sum, one) => sum + one, 0);
      assert.ok(loaded.size > 4 && ![...loaded.values()].includes(0), list);
      assert.ok(bytes <= BUDGET_BYTES, `${bytes} bytes: ${list}`);

      // Over plain HTTP from elsewhere browsers take nothing better than gzip.
      let zipped = 0;
      for (const path of new Set([...loaded.keys(), '/favicon.svg', '/manifest.webmanifest'])) {
        const body = await (await page.request.get(path)).body();
        zipped += path.endsWith('.woff2') ? body.length : gzipSync(body, { level: 6 }).length;
      }
      assert.ok(zipped <= BUDGET_BYTES, `${zipped} bytes with gzip: ${list}`);
    }));
}

test('the whole build stays small', async () => {
  const folder = new URL('../../dist/', import.meta.url);
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  let bytes = 0;
  for (const entry of names.filter((one) => one.isFile())) {
    bytes += (await readFile(`${entry.parentPath ?? entry.path}/${entry.name}`)).length;
  }
  assert.ok(bytes > 0 && bytes <= 1_500_000, `${bytes} bytes`);
});
