/** What happens before the program is there, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeChannel, unique } from './cast.mjs';
import { PHONE, logIn, post, useBrowser } from './journeys.mjs';

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

test('whoever shows a login is asked for by name and for messages at the same time', () =>
  visit(async (page) => {
    await logIn(page);
    const channel = unique('early');
    await makeChannel(page, channel);
    /** @type {() => void} */
    let letGo = () => undefined;
    const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
    await page.route('/auth/me', async (route) => {
      await held;
      await route.continue();
    });
    const early = page.waitForRequest((request) =>
      request.url().endsWith(`/api/channels/${channel}/messages?limit=50`),
    );
    await page.goto(`/c/${channel}`, { waitUntil: 'commit' });
    await early;
    letGo();
    await page.getByRole('textbox', { name: /^Message #/ }).waitFor();
  }));

test('a channel full of new messages opens without moving, and earlier ones come when somebody does something', () =>
  visit(
    async (page) => {
      await logIn(page);
      const channel = unique('still');
      const { key } = await post(page, '/api/agents', { name: unique('teller') });
      await makeChannel(page, channel);
      const headers = { authorization: `Bearer ${key}` };
      const joined = await page.request.post(`/api/channels/${channel}/join`, { headers });
      assert.ok(joined.ok(), await joined.text());
      for (let number = 1; number <= 70; number += 1) {
        const data = { channel, body: `Message number ${number}.\n\nWith a second paragraph.` };
        assert.ok((await page.request.post('/api/messages', { headers, data })).ok());
      }
      await page.addInitScript(() => {
        Reflect.set(window, 'moved', 0);
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            Reflect.set(window, 'moved', Reflect.get(window, 'moved') + Reflect.get(entry, 'value'));
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(`/c/${channel}`);
      await page.getByText('Live', { exact: true }).waitFor();
      const first = page.locator('main article').filter({ hasText: 'Message number 21.' });
      await first.waitFor();
      const place = async () => Math.round((await first.locator('.markdown').boundingBox())?.y ?? 0);
      const before = await place();
      await page.mouse.move(300, 300);
      await page.locator('main article').filter({ hasText: 'Message number 15.' }).waitFor();
      // Scrolling goes by whole pixels, so each portion may be off by a part of one.
      assert.ok(Math.abs((await place()) - before) <= 6, `it was at ${before} and is at ${await place()}`);
      const moved = await page.evaluate(() => Number(Reflect.get(window, 'moved')));
      assert.ok(moved < 0.1, `what is on screen has moved by ${moved}`);
    },
    { options: { viewport: PHONE } },
  ));

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
