/** Journeys through what was done, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { assertFits, DESKTOP, logIn, useBrowser } from './journeys.mjs';
import { callWith, deleteAgent, makeAgent, newName } from './making-agents.mjs';
import { axeViolations } from './visit.mjs';

const PHONE = { width: 390, height: 844 };

/** @typedef {import('playwright-core').Page} Page */

const { visit, screenshot } = useBrowser();

/**
 * Runs a journey with an agent that has done one thing well and failed at another.
 *
 * @param {(page: Page, agent: { name: string, key: string }) => Promise<void>} journey
 * @param {Parameters<typeof visit>[1]} [setting]
 */
function visitWithTraces(journey, setting) {
  return visit(async (page) => {
    await logIn(page);
    const name = newName('tracer');
    const key = await makeAgent(page, name);
    try {
      assert.equal((await callWith(key, '/api/messages', { to: 'nobody-at-all', body: 'x' })).status, 400);
      assert.equal((await callWith(key, '/api/messages', { channel: 'general', body: 'Hello' })).status, 201);
      await journey(page, { name, key });
    } finally {
      await deleteAgent(page, name);
    }
  }, setting);
}

/** @param {Page} page */
function rows(page) {
  return page.locator('tbody tr').filter({ has: page.locator('button[aria-expanded]') });
}

describe('traces', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`are accessible and fit, folded and unfolded (${screen}, ${colorScheme})`, () =>
        visitWithTraces(
          async (page, { name }) => {
            await page.goto(`/traces?agent=${name}`);
            const failed = rows(page).filter({ hasText: 'validation_failed' });
            await failed.getByRole('button').click();
            await page.getByText('Error').waitFor();
            await page.getByRole('region', { name: 'Details of send_message' }).waitFor();
            await screenshot(page, `traces-${screen}-${colorScheme}`);
            await assertFits(page);
            assert.deepEqual(await axeViolations(page), []);
          },
          { options: { viewport, colorScheme, reducedMotion: 'reduce' } },
        ));
    }
  }

  test('the filter is in the address, and the address is the filter', () =>
    visitWithTraces(async (page, { name }) => {
      await page.goto('/traces');
      await page.getByLabel('Agent').selectOption(`@${name}`);
      await page.waitForURL(`**/traces?agent=${name}`);
      await page.waitForFunction(() => document.querySelectorAll('tbody button[aria-expanded]').length === 2);
      await page.getByLabel('Outcome').selectOption('Failed');
      await page.waitForFunction(() => document.querySelectorAll('tbody button[aria-expanded]').length === 1);
      await rows(page).getByText('validation_failed').waitFor();

      await page.reload();
      await rows(page).getByText('validation_failed').waitFor();
      assert.equal(await page.getByLabel('Outcome').inputValue(), 'failed');
      assert.equal(await rows(page).count(), 1);

      await page.getByLabel('Action', { exact: true }).selectOption('Any action');
      await page.goto(`/traces?agent=${name}&action=delete_channel`);
      await page.getByText('No matching traces').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await rows(page).first().waitFor();
      assert.equal(new URL(page.url()).search, '');
    }));

  test('what happens appears by itself', () =>
    visitWithTraces(async (page, { name, key }) => {
      await page.goto(`/traces?agent=${name}`);
      await rows(page).first().waitFor();
      assert.equal(await rows(page).count(), 2);
      await callWith(key, '/api/messages', { channel: 'general', body: 'Again' });
      await page.waitForFunction(() => document.querySelectorAll('tbody button[aria-expanded]').length === 3);
      await page.getByText('3 actions').waitFor();
    }));

  test('are exported as they are filtered', () =>
    visitWithTraces(async (page, { name }) => {
      await page.goto(`/traces?agent=${name}&outcome=failed`);
      await rows(page).first().waitFor();
      const saving = page.waitForEvent('download');
      await page.getByRole('link', { name: 'CSV' }).click();
      const saved = await saving;
      const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\n');
      assert.equal(lines.length, 2, 'a heading and one failure');
      assert.match(lines[1] ?? '', /send_message/);
      assert.match(lines[1] ?? '', /validation_failed/);
    }));
});
