/** Messages that are saved for later. On the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, useBrowser } from './journeys.mjs';
import { axeViolations } from './visit.mjs';

const { visit, screenshot } = useBrowser();

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', { width: 390, height: 844 }],
])) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`a message is saved, gets a note and is done: ${screen}, ${colorScheme}`, () =>
      visit(
        async (page) => {
          await logIn(page);
          const agent = await makeAgent(page, unique('saver'));
          const channel = unique('saved');
          await makeChannel(page, channel, { members: [agent.name] });
          const text = unique('The report of the zeppelin');
          const said = await agent.say({ channel, body: text });
          await page.goto(`/c/${channel}`);
          const row = page.locator(`article[data-message="${said.id}"]`);
          await row.hover();
          await row.getByRole('button', { name: 'More actions' }).click();
          await page.getByRole('menuitem', { name: 'Save for later' }).click();
          await page.getByRole('button', { name: 'Show saved' }).click();
          await page.waitForURL('**/saved');

          const entry = page.locator('main article').filter({ hasText: text });
          await entry.getByRole('button', { name: 'Add a note' }).click();
          await entry.getByRole('textbox', { name: 'Note' }).fill('Read on Monday');
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);
          await entry.getByRole('button', { name: 'Save note' }).click();
          await entry.getByText('Read on Monday').waitFor();
          await screenshot(page, `saved-${screen}-${colorScheme}`);
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);

          await entry.getByRole('button', { name: 'Done' }).click();
          await entry.waitFor({ state: 'detached' });
          await page.getByRole('button', { name: 'Undo' }).click();
          await entry.getByText('Read on Monday').waitFor();
          await entry.getByRole('link', { name: 'Open message' }).click();
          await page.waitForURL(`**/c/${channel}?m=${said.id}`);
          await page.goto('/saved');
          await entry.getByRole('button', { name: 'Done' }).click();
          await entry.waitFor({ state: 'detached' });
        },
        { options: { viewport, colorScheme } },
      ));
  }
}
