/** Journeys without a connection and through a newer version, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { DESKTOP, logIn, useBrowser } from './journeys.mjs';
import { serverOrigin } from './visit.mjs';

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
      await page.getByText('No connection to the hub.').waitFor();
      await page.getByRole('heading', { name: 'Waiting for you' }).waitFor();
      await screenshot(page, 'offline');
      await page.context().setOffline(false);
      await page.getByText('No connection to the hub.').waitFor({ state: 'detached' });
    },
    { ...INSTALLED, expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK_CHANGED/ },
  ));

test('a page opened without a connection appears as soon as there is one', () =>
  visit(
    async (page) => {
      await logIn(page);
      await page.goto('/search');
      await installed(page);
      // From the next visit on, the worker answers.
      await page.reload();
      await page.getByRole('heading', { name: 'Search', exact: true }).waitFor();
      await page.context().setOffline(true);
      await page.goto('/analytics');
      await page.getByRole('heading', { name: 'The hub cannot be reached' }).waitFor();
      await screenshot(page, 'offline-opened');
      await page.context().setOffline(false);
      await page.getByRole('heading', { name: 'Analytics', exact: true }).waitFor();
    },
    { ...INSTALLED, expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK_CHANGED/ },
  ));

test('what the server knows of people is never kept', () =>
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
        (path) => !/^\/$|^\/assets\/|^\/(theme\.js|favicon\.svg|manifest\.webmanifest)$/.test(path),
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

for (const address of ['/', '/search', '/analytics']) {
  test(`the first load of ${address} stays within its budget`, () =>
    visit(async (page) => {
      await logIn(page);
      /** @type {Set<string>} */
      const loaded = new Set(['/']);
      page.on('response', (response) => {
        const { origin, pathname } = new URL(response.url());
        const isProgram = /^\/(assets\/|theme\.js|favicon\.svg|manifest)/.test(pathname);
        if (origin === serverOrigin() && isProgram) loaded.add(pathname);
      });
      await page.goto(address, { waitUntil: 'load' });
      await page.locator('h1').waitFor();
      await page.waitForLoadState('load');
      let bytes = 0;
      for (const path of loaded) {
        const body = await (await page.request.get(path)).body();
        bytes += path.endsWith('.woff2') ? body.length : gzipSync(body, { level: 6 }).length;
      }
      assert.ok(loaded.size > 4, [...loaded].join(' '));
      assert.ok(bytes <= BUDGET_BYTES, `${bytes} bytes in ${[...loaded].join(' ')}`);
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
