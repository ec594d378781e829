/** Making keys with a login that is some time old. On the server that SVC_URL names, which is answered for where it is fresh. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFits, credentials, DESKTOP, logIn, useBrowser } from './journeys.mjs';
import { deleteAgent, makeAgent, newName } from './making-agents.mjs';
import { axeViolations } from './visit.mjs';

const PHONE = { width: 390, height: 844 };
const { visit, screenshot } = useBrowser();
const REFUSED = /(401|403|429) /;

/** @typedef {import('playwright-core').Page} Page */

/**
 * Answers as for a login that is old until the password was confirmed. The result tells what came of it.
 *
 * @param {Page} page
 */
async function makeOld(page) {
  const { password } = credentials();
  const seen = { isConfirmed: false, tries: 0, isBusy: false };
  await page.route(/\/api\/(keys|agents\/[^/]+\/rotate-key)$/, (route) => {
    if (route.request().method() !== 'POST' || seen.isConfirmed) return route.continue();
    return route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      json: {
        status: 403,
        code: 'password_required',
        detail: 'Confirm your password with POST /auth/confirm.',
      },
    });
  });
  await page.route('/auth/confirm', (route) => {
    seen.tries += 1;
    const problem = (/** @type {number} */ status, /** @type {string} */ code, headers = {}) =>
      route.fulfill({ status, headers, json: { status, code, detail: 'Too many attempts.' } });
    if (seen.isBusy) return problem(429, 'rate_limited', { 'retry-after': '30' });
    if (route.request().postDataJSON().password !== password) return problem(401, 'invalid_credentials');
    seen.isConfirmed = true;
    return route.fulfill({ status: 204 });
  });
  return seen;
}

/** @param {Page} page */
const question = (page) => page.getByRole('dialog', { name: 'Confirm your password' });

describe('an old login', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`asks for the password before it makes a key (${screen}, ${colorScheme})`, () =>
        visit(
          async (page) => {
            await logIn(page);
            const seen = await makeOld(page);
            const title = newName('key');
            await page.goto('/settings?tab=keys');
            await page.getByRole('button', { name: 'New key' }).click();
            const dialog = page.getByRole('dialog', { name: 'New key' });
            await dialog.getByRole('textbox', { name: 'Name' }).fill(title);
            await dialog.getByRole('button', { name: 'Create key' }).click();

            await question(page).waitFor();
            const password = question(page).getByLabel('Password');
            assert.ok(
              await password.evaluate((field) => field === document.activeElement),
              'it has the focus',
            );
            assert.equal(await password.getAttribute('autocomplete'), 'current-password');
            await assertFits(page);
            await screenshot(page, `confirm-${screen}-${colorScheme}`, { fullPage: false });
            assert.deepEqual(await axeViolations(page), []);

            await password.fill('not the password');
            await page.keyboard.press('Enter');
            await question(page).getByRole('alert').getByText('Incorrect password. Try again.').waitFor();
            assert.equal(await password.getAttribute('aria-invalid'), 'true');
            await screenshot(page, `confirm-wrong-${screen}-${colorScheme}`, { fullPage: false });
            assert.deepEqual(await axeViolations(page), []);
            // A wrong password is no login that has ended.
            assert.ok(new URL(page.url()).pathname === '/settings');

            await password.fill(credentials().password);
            await question(page).getByRole('button', { name: 'Confirm' }).click();
            const secret = page.getByRole('textbox', { name: `Key “${title}”` });
            await secret.waitFor();
            assert.notEqual(await secret.inputValue(), '');
            assert.equal(seen.tries, 2);
            assert.equal(await page.getByRole('dialog').count(), 0);
          },
          { options: { viewport, colorScheme, reducedMotion: 'reduce' }, expected: REFUSED },
        ));
    }
  }

  test('whoever cancels goes on where they were, and makes nothing', () =>
    visit(
      async (page) => {
        await logIn(page);
        const seen = await makeOld(page);
        await page.goto('/settings?tab=keys');
        await page.getByRole('button', { name: 'New key' }).click();
        const dialog = page.getByRole('dialog', { name: 'New key' });
        await dialog.getByRole('textbox', { name: 'Name' }).fill('Never made');
        await dialog.getByRole('button', { name: 'Create key' }).click();
        seen.isBusy = true;
        await question(page).getByLabel('Password').fill('anything');
        await page.keyboard.press('Enter');
        await question(page).getByText('Too many attempts. Try again in 30 seconds.').waitFor();
        await question(page).getByRole('button', { name: 'Cancel' }).click();
        await question(page).waitFor({ state: 'detached' });
        assert.equal(await dialog.getByRole('textbox', { name: 'Name' }).inputValue(), 'Never made');
        assert.equal(await dialog.getByRole('alert').count(), 0);
        // What was typed is not there the next time.
        await dialog.getByRole('button', { name: 'Create key' }).click();
        assert.equal(await question(page).getByLabel('Password').inputValue(), '');
      },
      { expected: REFUSED },
    ));

  test('asks before it gives an agent another key', () =>
    visit(
      async (page) => {
        await logIn(page);
        const name = newName('rotated');
        await makeAgent(page, name);
        try {
          await makeOld(page);
          await page.goto(`/agents/${name}?tab=keys`);
          await page.getByRole('button', { name: 'Rotate key' }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
          await question(page).getByLabel('Password').fill(credentials().password);
          await page.keyboard.press('Enter');
          await page.getByRole('textbox', { name: `Key for ${name}` }).waitFor();
        } finally {
          await page.unrouteAll();
          await deleteAgent(page, name);
        }
      },
      { expected: REFUSED },
    ));
});

test('a changed password ends keys and clients only for whoever asks for it', () =>
  visit(async (page) => {
    await logIn(page);
    /** @type {object[]} */
    const sent = [];
    await page.route('/auth/password', (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({ status: 204 });
    });
    await page.goto('/settings?tab=password');
    const fill = async () => {
      for (const [label, text] of [
        ['Current password', 'old password'],
        ['New password', 'new password'],
        ['Confirm new password', 'new password'],
      ])
        await page.getByRole('textbox', { name: label ?? '', exact: true }).fill(text ?? '');
    };
    const change = page.getByRole('button', { name: 'Change password' });
    const choice = page.getByRole('checkbox', { name: /^Also revoke my API keys and disconnect clients/ });
    await fill();
    await change.click();
    await page.getByText('Password changed. All other sessions have ended.', { exact: true }).waitFor();
    await fill();
    await choice.check();
    await change.click();
    await page.getByText('your API keys are revoked').waitFor();
    assert.deepEqual(sent, [
      { current_password: 'old password', new_password: 'new password', end_keys: false },
      { current_password: 'old password', new_password: 'new password', end_keys: true },
    ]);
    assert.ok(!(await choice.isChecked()));
  }));
