/** Journeys through the directory, the cards of people and agents, status, avatars and presence. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, PHONE, useBrowser } from './journeys.mjs';
import { picture } from './picture.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

const { visit, screenshot } = useBrowser();

/**
 * Changes the own profile under the visit's login.
 *
 * @param {import('playwright-core').Page} page
 * @param {object} data
 */
async function changeProfile(page, data) {
  const response = await page.request.patch('/api/profile', { data, headers: { origin: serverOrigin() } });
  assert.ok(response.ok(), await response.text());
}

describe('the directory', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`finds people and agents: ${screen}, ${colorScheme}`, () =>
        visit(
          async (page) => {
            const { username } = await logIn(page);
            const agent = await makeAgent(page, unique('guide'));
            await agent.call('/api/messages', { to: username, body: 'Here I am' });
            await page.goto('/people');
            assert.equal(await page.locator('h1').textContent(), 'Directory');
            await page.getByRole('listitem').filter({ hasText: username }).first().waitFor();
            await screenshot(page, `directory-${screen}-${colorScheme}`);
            await assertFits(page);
            assert.deepEqual(await axeViolations(page), []);
            await page.getByRole('navigation', { name: 'People and agents' }).getByText('Agents').click();
            await page.getByRole('searchbox', { name: 'Find agents' }).fill(agent.name);
            const found = page.locator('main').getByRole('listitem').filter({ hasText: agent.name });
            await found.getByText(`agent of @${username}`).waitFor();
            await found.getByText('Active', { exact: true }).waitFor();
            await page.getByRole('searchbox', { name: 'Find agents' }).fill('nobody is called this');
            await page.getByText('Nobody has a name like that').waitFor();
            await assertFits(page);
            assert.deepEqual(await axeViolations(page), []);
            await page.getByRole('button', { name: 'Show all agents' }).click();
            await page.locator('main').getByRole('listitem').first().waitFor();
          },
          { options: { viewport, colorScheme } },
        ));
    }
  }
});

describe('a profile', () => {
  test('has a status and an avatar, which are seen beside names at once', () =>
    visit(async (page) => {
      const { username } = await logIn(page);
      const agent = await makeAgent(page, unique('reader'));
      const channel = unique('lounge');
      await makeChannel(page, channel, { members: [agent.name] });
      await changeProfile(page, { status: {} });

      await page.goto('/settings');
      await page.locator('main input[type=file]').setInputFiles({
        name: 'face.png',
        mimeType: 'image/png',
        buffer: picture(300, 200),
      });
      await page.getByText('Avatar saved.').waitFor();
      await page.locator('main img[src^="/api/avatars/"]').waitFor();
      await page.getByRole('button', { name: 'Emoji of the status' }).click();
      await page.getByRole('searchbox', { name: 'Search emoji' }).fill('pizza');
      await page.getByRole('searchbox', { name: 'Search emoji' }).press('Enter');
      await page.getByRole('textbox', { name: 'Status' }).fill('At lunch');
      await page.getByRole('button', { name: 'Save status' }).click();
      await page.getByText('Status saved.').waitFor();
      assert.deepEqual(await axeViolations(page), []);

      await page.goto(`/c/${channel}`);
      await page.getByRole('textbox', { name: /^Message / }).fill('Back at two');
      await page.keyboard.press('Enter');
      const message = page.locator('article').filter({ hasText: 'Back at two' });
      await message.locator('img[src^="/api/avatars/"]').waitFor();
      await message.getByRole('img', { name: 'Status: At lunch' }).waitFor();

      const name = message.getByRole('link').first();
      await name.hover();
      const card = page.getByRole('tooltip');
      await card.getByText('At lunch').waitFor();
      await card.getByText('Seen in the last 5 minutes').waitFor();
      await screenshot(page, 'profile-card', { fullPage: false });
      assert.deepEqual(await axeViolations(page), []);
      await page.keyboard.press('Escape');
      await card.waitFor({ state: 'detached' });

      // A change of somebody's status is seen without a reload.
      await changeProfile(page, { status: { text: 'In a meeting' } });
      await message.getByRole('img', { name: 'Status: In a meeting' }).waitFor();
      await changeProfile(page, { status: {} });
      await message.getByRole('img', { name: /^Status/ }).waitFor({ state: 'detached' });
      assert.equal(typeof username, 'string');
    }));

  test('shows to nobody when a person was here, if the person says so', () =>
    visit(async (page) => {
      const { username } = await logIn(page);
      const agent = await makeAgent(page, unique('watcher'));
      await page.goto('/settings');
      await page.getByRole('combobox', { name: 'Who sees when you were last here' }).selectOption('Nobody');
      await page.getByText('Saved who sees when you were here.').waitFor();
      const look = async () => {
        const { key } = await (
          await page.request.post(`/api/agents/${agent.name}/rotate-key`, {
            data: {},
            headers: { origin: serverOrigin() },
          })
        ).json();
        const response = await fetch(`${serverOrigin()}/api/profiles/${username}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        return /** @type {Promise<Record<string, unknown>>} */ (response.json());
      };
      assert.equal((await look())['last_seen_at'], undefined);
      await page
        .getByRole('combobox', { name: 'Who sees when you were last here' })
        .selectOption('Everyone on this hub');
      await page.waitForFunction(
        async (handle) => (await (await fetch(`/api/profiles/${handle}`)).json()).presence === 'everyone',
        username,
      );
      assert.equal(typeof (await look())['last_seen_at'], 'string');
    }));
});
