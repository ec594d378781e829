/** An administrator sets up a hub for others, from its first account on, without a shell. On a server of its own. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFits, credentials, DESKTOP, logIn, PHONE, post, useBrowser } from './journeys.mjs';
import { callWith } from './making-agents.mjs';
import { useOwnServer } from './own-server.mjs';
import { axeViolations } from './visit.mjs';

const PASSWORD = 'correct horse battery';
const OTHER_PASSWORD = 'staple battery horse';
/** Chromium writes refusals to the console. */
const REFUSED = /(401|403|409) /;

useOwnServer();
const { visit, screenshot } = useBrowser();

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const sidebar = (page) => page.getByRole('navigation', { name: 'Main' });

/**
 * Chooses an action for somebody and confirms it.
 *
 * @param {Page} page
 * @param {string} who
 * @param {string} action
 */
async function change(page, who, action) {
  await page.getByRole('button', { name: `Actions for ${who}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
}

/**
 * Makes an invitation on the page that is open.
 *
 * @param {Page} page
 * @param {string} note
 */
async function invite(page, note) {
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
  await dialog.getByLabel('For whom').fill(note);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByRole('textbox', { name: `Invitation for ${note}` }).inputValue();
  assert.match(link, /\/join#svci_\w+$/);
  return link;
}

/**
 * Follows an invitation and creates the account.
 *
 * @param {Page} page
 * @param {string} link
 * @param {{ username: string, displayName: string }} who
 */
async function join(page, link, { username, displayName }) {
  await page.goto(link);
  assert.equal(new URL(page.url()).hash, '', 'the code is taken out of the address');
  assert.equal(await page.getByLabel('Invitation').isVisible(), false);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Display name').fill(displayName);
  await page.getByLabel('Password').fill(PASSWORD);
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/');
}

test('an administrator sets up a colleague, the colleague’s agent and a channel', () =>
  visit((admin) =>
    visit(async (colleague) => {
      await admin.goto('/login');
      await admin.getByLabel('Username').fill(credentials().username);
      await admin.getByLabel('Password').fill(credentials().password);
      await admin.getByRole('button', { name: 'Log in' }).click();
      await sidebar(admin).getByRole('link', { name: 'People', exact: true }).click();
      await admin.getByRole('heading', { level: 1, name: 'People' }).waitFor();
      const link = await invite(admin, 'Bob Marsh');
      await screenshot(admin, 'people-invited');

      await join(colleague, link, { username: 'bob', displayName: 'Bob Marsh' });
      await sidebar(colleague).getByRole('link', { name: 'Agents', exact: true }).click();
      await colleague.waitForURL('**/agents');
      await colleague.getByRole('heading', { name: 'Connect your first agent' }).waitFor();
      await colleague.getByRole('textbox', { name: 'Name', exact: true }).fill('helper');
      await colleague.getByRole('button', { name: 'Create agent' }).click();
      const key = await colleague.getByRole('textbox', { name: 'Key for helper' }).inputValue();
      assert.equal(await sidebar(colleague).getByRole('link', { name: 'People', exact: true }).count(), 0);

      await admin.goto('/admin/invites');
      await admin
        .getByRole('listitem')
        .filter({ hasText: 'Bob Marsh' })
        .getByText('Used', { exact: true })
        .waitFor();
      await admin.goto('/admin/agents');
      await admin.getByRole('listitem').filter({ hasText: 'helper' }).getByText('@bob').waitFor();

      await admin.goto('/channels?new=1');
      const channel = admin.getByRole('dialog', { name: 'New channel' });
      await channel.getByLabel('Name').fill('launch');
      await channel.getByLabel('Members').fill('bob, helper');
      await channel.getByRole('button', { name: 'Create channel' }).click();
      await admin.waitForURL('**/c/launch');

      await colleague.goto('/c/launch');
      const said = await callWith(key, '/api/messages', { channel: 'launch', body: 'Ready for work.' });
      assert.equal(said.status, 201);
      for (const page of [admin, colleague])
        await page.locator('article').filter({ hasText: 'Ready for work.' }).waitFor();
    }),
  ));

test('a link is used once', () =>
  visit(
    async (page) => {
      await logIn(page);
      const { url } = await post(page, '/api/admin/invites', {});
      await page.context().clearCookies();
      await join(page, url, { username: 'cleo', displayName: 'Cleo' });
      await page.context().clearCookies();
      await page.goto(url);
      await page.getByLabel('Username').fill('dora');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('alert').getByText('This invitation was used').waitFor();
      assert.ok(await page.getByLabel('Invitation').isVisible(), 'another code can be typed');
      assert.deepEqual(await axeViolations(page), []);
    },
    { expected: REFUSED },
  ));

test('a password is reset with a link, and an account ends and comes back', () =>
  visit(
    (admin) =>
      visit(
        async (person) => {
          await logIn(admin);
          await post(admin, '/api/admin/users', { username: 'edgar', password: PASSWORD });
          await post(person, '/auth/login', { username: 'edgar', password: PASSWORD });
          await admin.goto('/admin/people?q=edgar');
          await change(admin, 'edgar', 'Reset password');
          const name = 'Link for edgar to choose a new password';
          const link = await admin.getByRole('textbox', { name }).inputValue();
          assert.equal((await person.request.get('/auth/me')).status(), 401);

          await person.goto(link);
          await person.getByLabel('New password').fill(OTHER_PASSWORD);
          assert.deepEqual(await axeViolations(person), []);
          await person.getByRole('button', { name: 'Save password' }).click();
          await person.waitForURL('**/');
          assert.equal((await person.request.get('/auth/me')).status(), 200);

          const entry = admin.getByRole('listitem').filter({ hasText: 'edgar' });
          await change(admin, 'edgar', 'Deactivate');
          await entry.getByText('Deactivated', { exact: true }).waitFor();
          assert.equal((await person.request.get('/auth/me')).status(), 401);
          await change(admin, 'edgar', 'Reactivate');
          await entry.getByText('Deactivated', { exact: true }).waitFor({ state: 'detached' });
          await post(person, '/auth/login', { username: 'edgar', password: OTHER_PASSWORD });

          await admin.goto('/admin/audit?user=edgar&event=password_reset');
          await admin.getByRole('listitem').getByText('by @admin').waitFor();
        },
        { expected: REFUSED },
      ),
    { expected: REFUSED },
  ));

test('the last administrator stays, and is told why', () =>
  visit(
    async (page) => {
      const { username, display_name } = await logIn(page);
      await page.goto(`/admin/people?q=${username}`);
      const name = display_name === username ? username : `${display_name} @${username}`;
      await change(page, name, 'Remove administrator role');
      await page.getByRole('dialog').getByRole('alert').getByText('last admin').waitFor();
    },
    { expected: REFUSED },
  ));

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`the pages are accessible and fit (${screen}, ${colorScheme})`, () =>
      visit(
        async (page) => {
          await logIn(page);
          for (const [address, settled] of /** @type {const} */ ([
            ['people', 'Everybody with an account on this hub.'],
            ['invites', 'Each works once.'],
            ['agents', 'Who owns them and whether they work.'],
            ['clients', 'Applications that people can allow'],
            ['audit', 'What happened to accounts and credentials'],
          ])) {
            await page.goto(`/admin/${address}`);
            await page.getByText(settled).first().waitFor();
            await page.getByRole('main').locator('li, .empty').first().waitFor();
            await screenshot(page, `admin-${address}-${screen}-${colorScheme}`);
            await assertFits(page);
            assert.deepEqual(await axeViolations(page), [], address);
          }
        },
        { options: { viewport, colorScheme } },
      ));
  }
}

test('somebody else is refused, and is not led there', () =>
  visit(
    async (page) => {
      await logIn(page);
      await post(page, '/api/admin/users', { username: 'fred', password: PASSWORD });
      await post(page, '/auth/login', { username: 'fred', password: PASSWORD });
      for (const address of ['people', 'invites', 'agents', 'clients', 'audit']) {
        await page.goto(`/admin/${address}`);
        await page.getByText('Only administrators can see this page').waitFor();
      }
      assert.equal(await sidebar(page).getByRole('link', { name: 'Audit log' }).count(), 0);
    },
    { expected: REFUSED },
  ));
