/** Messages that are pinned. On the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, post, useBrowser } from './journeys.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

const { visit, screenshot } = useBrowser();

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', { width: 390, height: 844 }],
])) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`a message is pinned, found in the panel and unpinned: ${screen}, ${colorScheme}`, () =>
      visit(
        async (page) => {
          await logIn(page);
          const agent = await makeAgent(page, unique('pinner'));
          const channel = unique('pins');
          await makeChannel(page, channel, { members: [agent.name] });
          const rules = await post(page, '/api/messages', { channel, body: 'Deploys are on Mondays' });
          const other = await agent.say({ channel, body: 'The glossary' });
          await page.goto(`/c/${channel}`);
          const row = (/** @type {{ id: number }} */ { id }) => page.locator(`article[data-message="${id}"]`);
          await row(rules).waitFor();

          // Nothing is pinned yet.
          await page.getByRole('button', { name: 'Pinned messages', exact: true }).click();
          const panel = page.getByRole('complementary', { name: 'Pinned messages' });
          await panel.getByText('No pinned messages').waitFor();
          assert.deepEqual(await axeViolations(page), []);
          await panel.getByRole('button', { name: 'Close pinned messages' }).click();

          await row(rules).hover();
          await row(rules).getByRole('button', { name: 'More actions' }).click();
          await page.getByRole('menuitem', { name: 'Pin', exact: true }).click();
          await row(rules).getByText('Pinned by').waitFor();

          // What others pin appears by itself.
          const pinned = await page.request.fetch(`/api/messages/${other.id}/pin`, {
            method: 'PUT',
            headers: { origin: serverOrigin() },
          });
          assert.equal(pinned.status(), 200);
          await row(other).getByText('Pinned by').waitFor();

          await page.getByRole('button', { name: 'Pinned messages', exact: true }).click();
          await panel.getByText('Deploys are on Mondays').waitFor();
          assert.equal(await panel.getByRole('listitem').count(), 2);
          await screenshot(page, `pins-${screen}-${colorScheme}`, { fullPage: false });
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);

          await panel.getByRole('listitem').nth(1).getByRole('link', { name: 'Show message' }).click();
          await page.waitForURL(`**/c/${channel}?m=${rules.id}`);
          await row(rules).hover();
          await row(rules).getByRole('button', { name: 'More actions' }).click();
          await page.getByRole('menuitem', { name: 'Unpin', exact: true }).click();
          await row(rules).getByText('Pinned by').waitFor({ state: 'detached' });
        },
        { options: { viewport, colorScheme } },
      ));
  }
}
