/** What happens between tabs, logins and channels that one leaves. On the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { assertFits, credentials, DESKTOP, logIn, post, stored, useBrowser } from './journeys.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

const { visit, screenshot } = useBrowser();
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
      await page.getByText(`Channel #${channel} not found`).waitFor();
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

/**
 * Ends the login on the server, as another browser may.
 *
 * @param {import('playwright-core').Page} page
 */
async function endLogin(page) {
  const response = await page.request.post('/auth/logout', { headers: { origin: serverOrigin() } });
  assert.ok(response.ok(), await response.text());
}

/** @param {import('playwright-core').Page} page */
async function logInByForm(page) {
  const { username, password } = credentials();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('a login that ends leads to the login and back, with the draft and what was not sent', () =>
  visit(
    async (page) => {
      await logIn(page);
      const channel = await openTalk(page);
      await page.goto(`/c/${channel}?panel=members`);
      await live(page);
      // The stream has ended with the login by the time that anything is sent.
      await page.route('/api/events*', (route) => route.abort());
      await composer(page).fill('Too late');
      await endLogin(page);
      await composer(page).press('Enter');
      await page.waitForURL('**/login?next=*');
      assert.equal(new URL(page.url()).searchParams.get('next'), `/c/${channel}?panel=members`);
      await page.unroute('/api/events*');
      await logInByForm(page);
      await page.waitForURL(`**/c/${channel}?panel=members`);
      await row(page, 'Too late').waitFor();
      await stored(page, 'Too late');
      const { messages } = await (await page.request.get(`/api/channels/${channel}/messages`)).json();
      assert.deepEqual(
        messages.map((/** @type {{ body: string }} */ { body }) => body),
        ['Too late'],
      );
    },
    { expected: REFUSED },
  ));

test('the stream tells of a login that has ended, without anything being asked', () =>
  visit(
    async (page) => {
      await logIn(page);
      const channel = await openTalk(page);
      await composer(page).fill('Half a thought');
      await endLogin(page);
      await page.waitForURL('**/login?next=*', { timeout: 30_000 });
      await logInByForm(page);
      await page.waitForURL(`**/c/${channel}`);
      assert.equal(await composer(page).inputValue(), 'Half a thought');
    },
    { expected: REFUSED },
  ));

test('one refusal is no ended login while the server knows who it is', () =>
  visit(
    async (page) => {
      await logIn(page);
      await openTalk(page);
      await page.route('/api/messages', (route) =>
        route.fulfill({ status: 401, json: { code: 'unauthorized' } }),
      );
      const asked = page.waitForResponse('**/auth/me');
      await composer(page).fill('Said twice');
      await composer(page).press('Enter');
      assert.equal((await asked).status(), 200);
      await row(page, 'Said twice').getByText('Not sent.').waitFor();
      await page.unroute('/api/messages');
      await row(page, 'Said twice').getByRole('button', { name: 'Retry' }).click();
      await stored(page, 'Said twice');
      assert.equal(new URL(page.url()).pathname.startsWith('/c/'), true);
    },
    { expected: REFUSED },
  ));

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', { width: 390, height: 844 }],
])) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`the owner of a channel is told why they cannot leave it, and how to (${screen}, ${colorScheme})`, () =>
      visit(
        async (page) => {
          await logIn(page);
          await openTalk(page);
          await page.getByRole('button', { name: 'Channel settings' }).click();
          await page.getByRole('button', { name: 'Leave…' }).click();
          const dialog = page.getByRole('dialog', { name: /^You can’t leave #/ });
          await dialog.getByText('Transfer ownership first').waitFor();
          await assertFits(page);
          await screenshot(page, `owner-stays-${screen}-${colorScheme}`, { fullPage: false });
          assert.deepEqual(await axeViolations(page), []);
          await dialog.getByRole('button', { name: 'Choose a new owner' }).click();
          await page.getByRole('complementary', { name: 'Members' }).waitFor();
          assert.equal(await page.getByRole('dialog').count(), 0);
        },
        { options: { viewport, colorScheme } },
      ));
  }
}

test('who was made the owner meanwhile is told by the server', () =>
  visit(
    async (page) => {
      const { username } = await logIn(page);
      const channel = unique('handed');
      await makeChannel(page, channel);
      const as = async (/** @type {string} */ owner) => {
        await page.route(new RegExp(`/api/channels(/${channel})?([?].*)?$`), async (route) => {
          const response = await route.fetch();
          const body = (await response.text()).replaceAll(
            `"owner":${JSON.stringify(username)}`,
            `"owner":${JSON.stringify(owner)}`,
          );
          await route.fulfill({ response, body });
        });
      };
      await as('somebody_else');
      await page.goto(`/c/${channel}`);
      await live(page);
      await page.getByRole('button', { name: 'Channel settings' }).click();
      await page.getByRole('button', { name: 'Leave…' }).click();
      await page.unrouteAll();
      const asked = page.waitForResponse(`**/api/channels/${channel}/leave`);
      await page
        .getByRole('dialog', { name: `Leave #${channel}?` })
        .getByRole('button', { name: 'Leave' })
        .click();
      assert.equal((await asked).status(), 409);
      await page.getByRole('dialog', { name: `You can’t leave #${channel} yet` }).waitFor();
    },
    { expected: REFUSED },
  ));
