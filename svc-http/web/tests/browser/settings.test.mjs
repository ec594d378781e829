/** Journeys of people with their own account, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFits, credentials, DESKTOP, logIn, post, useBrowser } from './journeys.mjs';
import { callWith, deleteAgent, makeAgent, newName } from './making-agents.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

const PHONE = { width: 390, height: 844 };

/** @typedef {import('playwright-core').Page} Page */

const account = credentials();
const { visit, screenshot } = useBrowser();

/**
 * Logs in somewhere else.
 *
 * @param {string} userAgent
 */
async function logInElsewhere(userAgent) {
  const response = await fetch(`${serverOrigin()}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: serverOrigin(), 'user-agent': userAgent },
    body: JSON.stringify(account),
  });
  assert.equal(response.status, 200);
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return async () => (await fetch(`${serverOrigin()}/auth/me`, { headers: { cookie } })).status === 200;
}

/**
 * What the server is told apart from the page, under the visit's login.
 *
 * @param {Page} page
 * @param {'patch' | 'put' | 'delete'} method
 * @param {string} address
 * @param {object} [data]
 */
async function tell(page, method, address, data) {
  const response = await page.request[method](address, {
    headers: { origin: serverOrigin() },
    ...(data ? { data } : {}),
  });
  assert.ok(response.ok(), `${address} answered with ${response.status()}`);
}

/** A form for programs, and its answer. */
async function ask(/** @type {string} */ path, /** @type {Record<string, string>} */ fields) {
  const response = await fetch(serverOrigin() + path, { method: 'POST', body: new URLSearchParams(fields) });
  return /** @type {Record<string, string>} */ (await response.json());
}

describe('every part', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`is accessible and fits (${screen}, ${colorScheme})`, () =>
        visit(
          async (page) => {
            await logIn(page);
            for (const [tab, settled] of [
              ['', 'Save'],
              ['notifications', 'All conversations use the defaults.'],
              ['password', 'Change password'],
              ['sessions', 'current'],
              ['clients', 'Connected clients'],
              ['keys', 'New key'],
              ['appearance', 'System'],
              ['shortcuts', 'Open command palette'],
            ]) {
              await page.goto(`/settings${tab ? `?tab=${tab}` : ''}`);
              await page
                .getByText(settled ?? '')
                .last()
                .waitFor();
              await page.waitForFunction(() => !document.querySelector('main .skeleton'));
              assert.equal(await page.locator('h1').textContent(), 'Settings');
              await screenshot(page, `settings-${tab || 'profile'}-${screen}-${colorScheme}`);
              await assertFits(page);
              assert.deepEqual(await axeViolations(page), [], tab);
            }
          },
          { options: { viewport, colorScheme, reducedMotion: 'reduce' } },
        ));
    }
  }
});

test('a new display name is shown at once in the bar', () =>
  visit(async (page) => {
    const { display_name } = await logIn(page);
    try {
      await page.goto('/settings');
      const field = page.getByRole('textbox', { name: 'Display name' });
      await field.fill('Ada <i>King</i>');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('group', { name: 'Account' }).getByText('Ada <i>King</i>').waitFor();
    } finally {
      await tell(page, 'patch', '/auth/me', { display_name });
    }
  }));

test('a password is changed with the present one only, and ends other logins', () =>
  visit(
    async (page) => {
      await logIn(page);
      const elsewhere = await logInElsewhere('journey/1');
      const wanted = 'another good password';
      await page.goto('/settings?tab=password');
      const [present, fresh, again] = ['Current password', 'New password', 'Confirm new password'].map(
        (name) => page.getByRole('textbox', { name, exact: true }),
      );
      const change = page.getByRole('button', { name: 'Change password' });
      await present?.fill('not the password');
      await fresh?.fill(wanted);
      await again?.fill(`${wanted}!`);
      await change.click();
      await page.getByText('The passwords do not match.').waitFor();
      await again?.fill(wanted);
      await change.click();
      await page.getByRole('alert').getByText('Is not the current password.').waitFor();
      assert.equal(await present?.getAttribute('aria-invalid'), 'true');
      assert.deepEqual(await axeViolations(page), []);
      assert.ok(await elsewhere());

      await present?.fill(account.password);
      try {
        await change.click();
        await page.getByText('Password changed.').waitFor();
        assert.ok(!(await elsewhere()));
        assert.equal(await fresh?.inputValue(), '');
      } finally {
        await tell(page, 'put', '/auth/password', {
          current_password: wanted,
          new_password: account.password,
        });
      }
    },
    { expected: /400 .*\/auth\/password/ },
  ));

test('a login elsewhere is seen and ended; this one is marked and stays', () =>
  visit(async (page) => {
    await logIn(page);
    const firefox = await logInElsewhere('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0 journey');
    const others = await logInElsewhere('teapot/3');
    await page.goto('/settings?tab=sessions');
    const item = (/** @type {string} */ text) => page.getByRole('listitem').filter({ hasText: text });
    await item('current').waitFor();
    assert.equal(await item('current').getByRole('button').count(), 0);

    await item('Firefox on Linux').first().getByRole('button', { name: 'End' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Firefox on Linux will have to log in again.').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await dialog.getByRole('button', { name: 'End session' }).click();
    await page.getByText('Session ended.').waitFor();
    assert.ok(!(await firefox()));
    assert.ok(await others());

    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await dialog.getByRole('button', { name: 'End other sessions' }).click();
    await page.getByText('All other sessions ended.').waitFor();
    assert.ok(!(await others()));
    assert.equal(await page.locator('main li').count(), 1);
    assert.equal((await page.request.get('/auth/me')).status(), 200);
  }));

test('logging out everywhere leads to the login', () =>
  visit(
    async (page) => {
      await logIn(page);
      await page.goto('/settings?tab=sessions');
      await page.getByRole('button', { name: 'Log out everywhere' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Log out everywhere' }).click();
      await page.waitForURL('**/login**');
    },
    { expected: /401 / },
  ));

test('a client that was allowed is listed, and ended for good', () =>
  visit(async (page) => {
    await logIn(page);
    const name = newName('granted');
    await makeAgent(page, name);
    try {
      const { client_id } = await post(page, '/oauth/register', {
        client_name: `Client of ${name}`,
        redirect_uris: ['http://127.0.0.1/cb'],
        grant_types: ['refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        token_endpoint_auth_method: 'none',
      });
      const { user_code, device_code = '' } = await ask('/oauth/device_authorization', { client_id });
      await page.goto(`/device?user_code=${user_code}`);
      await page.getByRole('button', { name: 'Continue' }).click();
      const choice = page.getByRole('radio', { name: new RegExp(name) });
      if ((await choice.count()) > 0) await choice.check();
      await page.getByRole('button', { name: 'Allow' }).click();
      const { access_token = '' } = await ask('/oauth/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code,
        client_id,
      });
      assert.equal((await callWith(access_token, '/api/whoami')).status, 200);

      await page.goto('/settings?tab=clients');
      const item = page.getByRole('listitem').filter({ hasText: `Client of ${name}` });
      await item.getByText(`@${name}`).waitFor();
      await screenshot(page, 'settings-client');
      assert.deepEqual(await axeViolations(page), []);
      await item.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await item.waitFor({ state: 'detached' });
      assert.equal((await callWith(access_token, '/api/whoami')).status, 401);
    } finally {
      await deleteAgent(page, name);
    }
  }));

test('a key of one’s own acts as oneself, until a day', () =>
  visit(async (page) => {
    const { username } = await logIn(page);
    const title = newName('key');
    await page.goto('/settings?tab=keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(title);
    await dialog.getByLabel('Expires', { exact: true }).selectOption('Custom date…');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    // Without a day it would never end, which is not what was chosen.
    assert.ok(await dialog.isVisible());
    await dialog.getByLabel('Expiration date').fill('2099-12-31');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = await page.getByRole('textbox', { name: `Key “${title}”` }).inputValue();
    const who = await (await callWith(secret, '/api/whoami')).json();
    assert.equal(who.handle, username);
    assert.match(who.expires_at, /^(2099-12-31|2100-01-01)/);
    await page.getByRole('button', { name: `Revoke key ${title}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(`Key “${title}” revoked.`).waitFor();
    assert.equal((await callWith(secret, '/api/whoami')).status, 401);
  }));

test('the theme is chosen here as well', () =>
  visit(async (page) => {
    await logIn(page);
    await page.goto('/settings?tab=appearance');
    const parts = page.getByRole('main');
    await parts.getByRole('radio', { name: 'Dark', exact: true }).check({ force: true });
    assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), 'dark');
    await page.reload();
    assert.ok(await parts.getByRole('radio', { name: 'Dark', exact: true }).isChecked());
  }));
