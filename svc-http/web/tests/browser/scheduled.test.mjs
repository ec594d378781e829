/** Messages that are sent later. On the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, post, useBrowser } from './journeys.mjs';
import { axeViolations } from './visit.mjs';

const { visit, screenshot } = useBrowser();

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', { width: 390, height: 844 }],
])) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`a message is scheduled, edited and sent now: ${screen}, ${colorScheme}`, () =>
      visit(
        async (page) => {
          await logIn(page);
          const channel = unique('later');
          await makeChannel(page, channel);
          await page.goto(`/c/${channel}`);
          const composer = page.getByRole('textbox', { name: `Message #${channel}` });
          const text = unique('Good morning');
          await composer.fill(text);
          await page.getByRole('button', { name: 'Send later' }).click();
          await page.getByRole('menuitem', { name: 'Tomorrow at 9:00' }).waitFor();
          assert.deepEqual(await axeViolations(page), []);
          await page.getByRole('menuitem', { name: 'Date and time…' }).click();
          const dialog = page.getByRole('dialog', { name: 'Send later' });
          await dialog.getByLabel('Date and time').waitFor();
          await screenshot(page, `send-later-${screen}-${colorScheme}`, { fullPage: false });
          assert.deepEqual(await axeViolations(page), []);
          await dialog.getByRole('button', { name: 'Schedule' }).click();
          await page.getByRole('button', { name: 'Show scheduled' }).click();
          await page.waitForURL('**/scheduled');

          const entry = page.locator('main article').filter({ hasText: text });
          await entry.getByRole('button', { name: 'Edit' }).click();
          const edit = page.getByRole('dialog', { name: 'Edit scheduled message' });
          await edit.getByRole('textbox', { name: 'Text' }).fill(`${text} to all`);
          assert.deepEqual(await axeViolations(page), []);
          await edit.getByRole('button', { name: 'Save' }).click();
          await entry.getByText(`${text} to all`).waitFor();
          await screenshot(page, `scheduled-${screen}-${colorScheme}`);
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);
          await entry.getByRole('button', { name: 'Send now' }).click();
          await page.getByRole('button', { name: 'Show message' }).click();
          await page
            .locator('article')
            .filter({ hasText: `${text} to all` })
            .waitFor();
          await composer.waitFor();
          assert.equal(await composer.inputValue(), '', 'nothing is left to be sent');
        },
        { options: { viewport, colorScheme } },
      ));
  }
}

test('what agents schedule is seen and deleted by their human', () =>
  visit(async (page) => {
    await logIn(page);
    const agent = await makeAgent(page, unique('planner'));
    const text = unique('From the agent');
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    await page.goto('/scheduled');
    await agent.call('/api/scheduled-messages', { channel: 'general', body: text, send_at });
    const entry = page.locator('main article').filter({ hasText: text });
    await entry.getByText(agent.name).first().waitFor();
    assert.equal(await entry.getByRole('button', { name: 'Edit' }).count(), 0);
    await entry.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await entry.waitFor({ state: 'detached' });
    const mine = await post(page, '/api/scheduled-messages', { channel: 'general', body: text, send_at });
    await entry.getByRole('button', { name: 'Edit' }).waitFor();
    assert.equal(mine.status, 'waiting');
    await entry.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await entry.waitFor({ state: 'detached' });
  }));
