/** Message templates. On the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, useBrowser } from './journeys.mjs';
import { axeViolations } from './visit.mjs';

const { visit, screenshot } = useBrowser();

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', { width: 390, height: 844 }],
])) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`a template is made, inserted, changed and deleted: ${screen}, ${colorScheme}`, () =>
      visit(
        async (page) => {
          await logIn(page);
          const channel = unique('templates');
          await makeChannel(page, channel);
          const name = unique('Thanks');
          await page.goto('/settings?tab=templates');
          await page.getByRole('button', { name: 'New template' }).click();
          const dialog = page.getByRole('dialog', { name: 'New template' });
          await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
          await dialog.getByRole('textbox', { name: 'Text' }).fill('Thank you for the zeppelin!');
          assert.deepEqual(await axeViolations(page), []);
          await dialog.getByRole('button', { name: 'Save' }).click();
          const entry = page.getByRole('listitem').filter({ hasText: name });
          await entry.getByText('Thank you for the zeppelin!').waitFor();
          await screenshot(page, `templates-${screen}-${colorScheme}`);
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);

          await page.goto(`/c/${channel}`);
          const composer = page.getByRole('textbox', { name: `Message #${channel}` });
          await composer.fill('Dear all. ');
          await page.getByRole('button', { name: 'Templates', exact: true }).click();
          const picker = page.getByRole('dialog', { name: 'Templates' });
          await picker.getByRole('searchbox', { name: 'Find a template' }).fill(name);
          await picker.getByText('1 template', { exact: true }).waitFor();
          assert.deepEqual(await axeViolations(page), []);
          await screenshot(page, `template-picker-${screen}-${colorScheme}`, { fullPage: false });
          await picker.getByRole('searchbox', { name: 'Find a template' }).press('Enter');
          await picker.waitFor({ state: 'detached' });
          assert.equal(await composer.inputValue(), 'Dear all. Thank you for the zeppelin!');

          await page.goto('/settings?tab=templates');
          await entry.getByRole('button', { name: `Delete ${name}` }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
          await entry.waitFor({ state: 'detached' });
        },
        { options: { viewport, colorScheme } },
      ));
  }
}
