/** What must not get lost: unread, unsent, on its way, out of sight. On the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { logIn, logOut, stored, useBrowser } from './journeys.mjs';
import { picture } from './picture.mjs';

const { visit, screenshot } = useBrowser();
const LOST = /ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to load resource/;

/** @param {import('playwright-core').Page} page */
const composer = (page) => page.getByRole('textbox', { name: /^Message / });
/** @param {import('playwright-core').Page} page @param {string} text */
const row = (page, text) => page.locator('article').filter({ hasText: text });
/** @param {import('playwright-core').Page} page */
const live = (page) => page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });

/**
 * A channel with an agent in it that has said so much that not all of it is on screen.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ messages?: number }} [options]
 */
async function makeTalk(page, { messages = 0 } = {}) {
  const agent = await makeAgent(page, unique('talker'));
  const channel = unique('talk');
  await makeChannel(page, channel, { members: [agent.name] });
  for (let index = 1; index <= messages; index += 1) await agent.say({ channel, body: `Point ${index}.` });
  return { agent, channel };
}

test('a channel that was never read opens at what is new, however late the lists come', () =>
  visit(async (page) => {
    await logIn(page);
    const { channel } = await makeTalk(page, { messages: 40 });
    /** @type {(() => void)[]} */
    const held = [];
    let isLate = true;
    await page.route(/\/api\/channels\?/, (route) => {
      if (isLate) held.push(() => void route.continue());
      else void route.continue();
    });
    const asked = page.waitForResponse(new RegExp(`/api/channels/${channel}/messages`));
    await page.goto(`/c/${channel}`);
    await asked;
    const { unread } = await (await page.request.get(`/api/channels/${channel}`)).json();
    assert.equal(unread, 40);
    isLate = false;
    for (const go of held) go();
    await page.locator('.new-line').waitFor();
    assert.ok(await page.getByText('Point 1.', { exact: true }).isVisible());
  }));

test('what one tab could not send is not lost when another one sends', () =>
  visit(
    async (page) => {
      await logIn(page);
      const { channel } = await makeTalk(page);
      const other = await page.context().newPage();
      for (const tab of [page, other]) {
        await tab.goto(`/c/${channel}`);
        await live(tab);
      }
      await page.route('/api/messages', (route) => route.abort());
      await composer(page).fill('Left behind');
      await composer(page).press('Enter');
      await page.getByText('The message is sent when the connection is back').waitFor();
      await row(other, 'Left behind').waitFor();
      await composer(other).fill('Another one');
      await composer(other).press('Enter');
      await row(other, 'Another one').waitFor();
      await page.unroute('/api/messages');
      // Opened anew anywhere, it is sent by itself.
      await page.goto('/');
      await live(page);
      await stored(other, 'Left behind');
      const { messages } = await (await page.request.get(`/api/channels/${channel}/messages`)).json();
      assert.deepEqual(messages.map((/** @type {{ body: string }} */ { body }) => body).sort(), [
        'Another one',
        'Left behind',
      ]);
    },
    { expected: LOST },
  ));

test('a file goes on its way while another conversation is open', () =>
  visit(async (page) => {
    await logIn(page);
    const { channel } = await makeTalk(page);
    await page.goto(`/c/${channel}`);
    await live(page);
    let arrive = () => undefined;
    await page.route('/api/attachments', async (route) => {
      await new Promise((resolve) => (arrive = () => void resolve(undefined)));
      await route.continue();
    });
    await page.locator('input[type=file]').setInputFiles({
      name: 'report.png',
      mimeType: 'image/png',
      buffer: picture(4, 4),
    });
    await composer(page).fill('With a picture');
    await page.getByRole('link', { name: 'general', exact: true }).first().click();
    await page.waitForURL('**/c/general');
    const stored = page.waitForResponse((response) => response.url().endsWith('/api/attachments'));
    arrive();
    await stored;
    await page.goBack();
    await page.getByText('report.png').waitFor();
    assert.equal(await composer(page).inputValue(), 'With a picture');
    await composer(page).press('Enter');
    await row(page, 'With a picture').locator('img[src*="/api/attachments/"]').waitFor();
  }));

test('a logout in one tab ends all, and asks about what is not sent', () =>
  visit(async (page) => {
    await logIn(page);
    const { channel } = await makeTalk(page);
    const other = await page.context().newPage();
    await other.goto(`/c/${channel}`);
    await composer(other).fill('Never sent');
    await page.goto('/search');
    await live(page);
    await logOut(page);
    const question = page.getByRole('dialog', { name: 'Log out?' });
    await question.getByText('1 unsent message').waitFor();
    await screenshot(page, 'logout-question', { fullPage: false });
    await question.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL('**/login*');
    await other.waitForURL('**/login*');
    const left = await page.evaluate(() =>
      Object.keys(localStorage).filter((key) => /draft|outbox/.test(key)),
    );
    assert.deepEqual(left, []);
  }));
