/** What happens before the program is there, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeChannel, unique } from './cast.mjs';
import { logIn, post, useBrowser } from './journeys.mjs';

const { visit } = useBrowser();

/**
 * The addresses that a page asks for, in their order.
 *
 * @param {import('playwright-core').Page} page
 */
function listen(page) {
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    asked.push(pathname + search);
  });
  return asked;
}

test('a channel is asked for once, before the program is there', () =>
  visit(async (page) => {
    await logIn(page);
    const channel = unique('early');
    await makeChannel(page, channel);
    await post(page, '/api/messages', { channel, body: 'Said before the page was opened.' });
    /** @type {() => void} */
    let letGo = () => undefined;
    const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
    await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    const asked = listen(page);
    const messages = `/api/channels/${channel}/messages?limit=50`;
    const early = page.waitForRequest((request) => request.url().endsWith(messages));
    await page.goto(`/c/${channel}`, { waitUntil: 'commit' });
    await early;
    letGo();
    await page.locator('article').filter({ hasText: 'Said before the page was opened.' }).waitFor();
    assert.equal(asked.filter((address) => address === messages).length, 1);
  }));

test('the files of a page are fetched together with the program, and once', () =>
  visit(async (page) => {
    await logIn(page);
    const asked = listen(page);
    await page.goto('/c/general');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const assets = asked.filter((address) => address.startsWith('/assets/'));
    assert.deepEqual(
      assets.filter((address, index) => assets.indexOf(address) !== index),
      [],
    );
    assert.ok(assets.length <= 14, `the page of a channel needs ${assets.length} files: ${assets.join(' ')}`);
  }));

test('whoever is not logged in is asked to, and nothing else is asked for', () =>
  visit(async (page) => {
    const asked = listen(page);
    await page.goto('/c/general');
    await page.waitForURL(/\/login\?next=/);
    assert.deepEqual(
      asked.filter((address) => address.startsWith('/api/')),
      [],
    );
  }));
