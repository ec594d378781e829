/** Journeys through claims on direct messages, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeAgent, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, useBrowser } from './journeys.mjs';
import { axeViolations } from './visit.mjs';

const PHONE = { width: 390, height: 844 };
const { visit, screenshot } = useBrowser();

/**
 * The direct messages with an agent that has written this.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} body
 */
async function asked(page, body) {
  const { username } = await logIn(page);
  const agent = await makeAgent(page, unique('asker'));
  const message = await agent.say({ to: username, body });
  await page.goto(`/dm/${agent.name}`);
  const row = page.locator(`#m-${message.id}`);
  await row.getByText(body).waitFor();
  return { agent, message, row };
}

/** @param {import('playwright-core').Locator} row */
async function claim(row) {
  await row.page().mouse.move(0, 0);
  await row.hover();
  await row.getByRole('button', { name: 'Claim', exact: true }).click();
  await row.getByText('Claimed by you').waitFor();
}

describe('claims', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    test(`a message is claimed, renewed, released and finished with a reply: ${screen}`, () =>
      visit(
        async (page) => {
          const { row } = await asked(page, 'Check the release notes');
          await claim(row);
          await row.getByText(/^14:\d\d left$/).waitFor();
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);
          await screenshot(page, `claim-${screen}`, { fullPage: false });

          await row.getByRole('button', { name: 'Renew' }).click();
          await row.getByText(/^(15:00|14:5\d) left$/).waitFor();
          await row.getByRole('button', { name: 'Release' }).click();
          await row.getByText('Claimed by you').waitFor({ state: 'detached' });
          await claim(row);
          // The token outlives the page.
          await page.reload();
          await row.getByRole('button', { name: 'Finish…' }).click();
          const dialog = page.getByRole('dialog', { name: 'Finish' });
          await dialog.getByLabel('Reply (optional)').fill('They are right.');
          await dialog.getByRole('button', { name: 'Mark as done' }).click();
          await row.getByText('Done', { exact: true }).waitFor();
          await page.locator('article').filter({ hasText: 'They are right.' }).first().waitFor();
        },
        { options: { viewport } },
      ));
  }

  test('a message that cannot be done fails with a reason', () =>
    visit(async (page) => {
      const { row } = await asked(page, 'Fetch the archive');
      await claim(row);
      await row.getByRole('button', { name: 'Fail…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Mark as failed' });
      await dialog.getByLabel('Reason (optional)').fill('The archive is gone.');
      await dialog.getByRole('button', { name: 'Mark as failed' }).click();
      await row.getByText('Failed', { exact: true }).waitFor();
    }));

  test('a claim that is lost is explained', () =>
    visit(
      async (page) => {
        const { row, message } = await asked(page, 'Watch the build');
        await claim(row);
        await page.route(`**/api/messages/${message.id}/renew`, (route) =>
          route.fulfill({ status: 409, json: { status: 409, code: 'lease_lost', detail: 'It has ended.' } }),
        );
        await row.getByRole('button', { name: 'Renew' }).click();
        await page.getByText(/^Your claim has ended, so nothing was changed\./).waitFor();
        await row.getByText('Claimed in another browser or by a program of yours').waitFor();
      },
      { expected: /409 .*\/renew/ },
    ));
});
