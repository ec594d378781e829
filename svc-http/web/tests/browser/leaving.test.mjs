/** What happens between tabs, logins and channels that one leaves. On the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { logIn, post, useBrowser } from './journeys.mjs';
import { serverOrigin } from './visit.mjs';

const { visit } = useBrowser();
const REFUSED = /ERR_FAILED|Failed to load resource/;

/** @param {import('playwright-core').Page} page */
const composer = (page) => page.getByRole('textbox', { name: /^Message / });
/** @param {import('playwright-core').Page} page @param {string} text */
const row = (page, text) => page.locator('article').filter({ hasText: text });
/** @param {import('playwright-core').Page} page */
const live = (page) => page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });

/** @param {import('playwright-core').Page} page */
async function openTalk(page) {
  const channel = unique('leaving');
  await makeChannel(page, channel);
  await page.goto(`/c/${channel}`);
  await live(page);
  return channel;
}

test('whoever is put out of a private channel sees nothing of it any more', () =>
  visit(
    async (page) => {
      await logIn(page);
      const channel = await openTalk(page);
      await post(page, '/api/messages', { channel, body: 'Between us' });
      await row(page, 'Between us').waitFor();
      // The channel is there for its owner; this page is answered as somebody who was put out.
      await page.route(`/api/channels/${channel}`, (route) =>
        route.fulfill({ status: 404, json: { code: 'not_found' } }),
      );
      const changed = await page.request.patch(`/api/channels/${channel}`, {
        data: { topic: 'Without you' },
        headers: { origin: serverOrigin() },
      });
      assert.ok(changed.ok(), await changed.text());
      await page.getByText(`There is no channel #${channel} for you`).waitFor();
      assert.equal(await page.getByText('Between us').count(), 0);
      assert.equal(await composer(page).count(), 0);
    },
    { expected: REFUSED },
  ));

test('a tab that is opened while another one sends shows the message once', () =>
  visit(async (page) => {
    await logIn(page);
    const channel = await openTalk(page);
    /** @type {(() => void)[]} */
    const held = [];
    await page.route('/api/messages', (route) => held.push(() => void route.continue()));
    await composer(page).fill('Only once');
    await composer(page).press('Enter');
    await row(page, 'Only once').getByText('Sending…').waitFor();
    const other = await page.context().newPage();
    await other.goto(`/c/${channel}`);
    await row(other, 'Only once').getByText('Sending…').waitFor();
    for (const go of held) go();
    for (const tab of [page, other]) {
      await row(tab, 'Only once').getByText('Sending…').waitFor({ state: 'detached' });
      await row(tab, 'Only once').waitFor();
      assert.equal(await row(tab, 'Only once').count(), 1);
      assert.equal(await tab.getByText('Not sent.').count(), 0);
    }
  }));

test('an unsent message that is edited comes to what has been written since', () =>
  visit(
    async (page) => {
      await logIn(page);
      const { name } = await makeAgent(page, unique('reader'));
      await page.goto(`/dm/${name}`);
      await live(page);
      await page.route('/api/messages', (route) =>
        route.fulfill({ status: 409, json: { code: 'no', detail: 'Not now.' } }),
      );
      await composer(page).fill('First words');
      await composer(page).press('Enter');
      await row(page, 'First words').getByText('Not now.').waitFor();
      await page.locator('input[type=file]').setInputFiles({
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('notes'),
      });
      await composer(page).fill('Second words');
      await row(page, 'First words').getByRole('button', { name: 'Edit' }).click();
      assert.equal(await composer(page).inputValue(), 'First words\n\nSecond words');
      await page.getByText('notes.txt').waitFor();
    },
    { expected: REFUSED },
  ));

test('after the login has ended Enter keeps what is written, and the next login sends what was not', () =>
  visit(
    async (page) => {
      await logIn(page);
      await openTalk(page);
      await page.route('/api/messages', (route) =>
        route.fulfill({ status: 401, json: { code: 'unauthorized' } }),
      );
      await composer(page).fill('Too late');
      await composer(page).press('Enter');
      await row(page, 'Too late').getByText('Log in again, and it is sent.').waitFor();
      await composer(page).fill('Still writing');
      await composer(page).press('Enter');
      await page.getByText('what you have written is kept').waitFor();
      assert.equal(await composer(page).inputValue(), 'Still writing');

      await page.unroute('/api/messages');
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      await row(page, 'Too late').getByText('Not sent.').waitFor({ state: 'detached' });
      await row(page, 'Too late').waitFor();
    },
    { expected: REFUSED },
  ));
