/** Journeys into an account and out of it, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFits, credentials, DESKTOP, logIn, logOut, PHONE, useBrowser } from './journeys.mjs';
import { axeViolations } from './visit.mjs';

const TALL_PHONE = { width: 390, height: 844 };

/** What Chromium writes to the console when the server refuses a login with a page that says why. */
const REFUSED = /401 .*\/login/;

const account = credentials();
const { visit, screenshot } = useBrowser();

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
function bar(page) {
  return {
    logIn: page.getByRole('banner').getByRole('link', { name: 'Log in' }),
    menu: page.getByRole('banner').getByRole('button', { name: /^Account menu/ }),
    name: page.getByRole('group', { name: 'Account' }).locator('bdi'),
    failure: page.getByRole('banner').getByRole('alert'),
  };
}

/**
 * Types into the form and sends it.
 *
 * @param {Page} page
 * @param {{ username: string, password: string }} typed
 */
async function send(page, { username, password }) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** @param {Page} page */
async function whoAmI(page) {
  const response = await page.request.get('/auth/me');
  return response.ok()
    ? /** @type {{ display_name: string }} */ (await response.json()).display_name
    : undefined;
}

describe('the way in and out', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    test(`a wrong password is told, the right one leads on, and there is a way out (${screen})`, () =>
      visit(
        async (page) => {
          await page.goto('/docs?from=here#part');
          await bar(page).logIn.click();
          await page.waitForURL('**/login?**');
          assert.equal(await page.title(), 'Log in · svc');

          await send(page, { username: account.username, password: 'not the password' });
          const alert = page.getByRole('alert');
          await alert.waitFor();
          const told = (await alert.textContent()) ?? '';
          assert.match(told, /password/i);
          // An alert that is there from the start is not read out by every screen reader; the title
          // and the description of the field with the focus are.
          assert.match(await page.title(), /^Error: Log in/);
          const password = page.getByRole('textbox', { name: 'Password', description: told });
          assert.ok(await password.evaluate((field) => field === document.activeElement));
          assert.equal(await password.inputValue(), '');
          assert.equal(await page.getByLabel('Username').inputValue(), account.username);

          await password.fill(account.password);
          await page.keyboard.press('Enter');
          await page.waitForURL('**/docs?from=here#part');
          await bar(page).name.waitFor();
          assert.equal(await bar(page).name.textContent(), await whoAmI(page));
          await assertFits(page);
          await screenshot(page, `logged-in-${screen}`, { fullPage: false });

          await bar(page).menu.click();
          await page.getByRole('menuitem', { name: `@${account.username}` }).waitFor();
          await screenshot(page, `account-menu-${screen}`, { fullPage: false });
          assert.deepEqual(await axeViolations(page), []);
          await page.keyboard.press('Escape');
          await logOut(page);
          await bar(page).logIn.waitFor();
          assert.equal(await whoAmI(page), undefined);
          await page.reload();
          await bar(page).logIn.waitFor();
        },
        { options: { viewport }, expected: REFUSED },
      ));
  }

  test('a keyboard is enough', () =>
    visit(async (page) => {
      await page.goto('/login?next=/docs');
      await page.keyboard.type(account.username);
      await page.keyboard.press('Tab');
      await page.keyboard.type(account.password);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs');

      await bar(page).menu.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Log out' }).focus();
      await page.keyboard.press('Enter');
      await bar(page).logIn.waitFor();
      assert.ok(await bar(page).logIn.evaluate((link) => link === document.activeElement));
      await page.keyboard.press('Enter');
      await page.waitForURL('**/login?next=%2Fdocs');
    }));

  test('JavaScript is not needed', () =>
    visit(
      async (page) => {
        await page.goto('/login?next=/openapi.json');
        await send(page, { username: account.username, password: 'not the password' });
        await page.getByRole('alert').waitFor();
        assert.equal(await page.getByLabel('Username').inputValue(), account.username);
        await screenshot(page, 'login-without-javascript');
        await page.getByLabel('Password').fill(account.password);
        await page.getByRole('button', { name: 'Log in' }).click();
        await page.waitForURL('**/openapi.json');
        assert.notEqual(await whoAmI(page), undefined);
      },
      // JSON cannot name an icon, so Chromium guesses an address.
      {
        options: { viewport: DESKTOP, javaScriptEnabled: false },
        expected: /401 .*\/login|404 .*\/favicon\.ico/,
      },
    ));

  test('who is logged in is led past the form, unless they want to be somebody else', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/login?next=/docs');
      assert.equal(new URL(page.url()).pathname, '/docs');
      await page.goto('/login?switch=1&next=/docs');
      await page.getByLabel('Username').waitFor();
    }));

  test('the form leads to no other server', () =>
    visit(async (page) => {
      await page.goto('/login?next=https://elsewhere.test/');
      await send(page, account);
      await bar(page).name.waitFor();
      assert.equal(new URL(page.url()).pathname, '/');
    }));
});

describe('the top bar', () => {
  test('shows neither way while nothing is known, and nothing moves when it is', () =>
    visit(async (page) => {
      /** @type {() => void} */
      let answer = () => undefined;
      const asked = new Promise((resolve) => (answer = () => resolve(undefined)));
      await page.route('/auth/me', async (route) => {
        await asked;
        await route.continue();
      });
      await page.goto('/docs');
      await page.locator('article').first().waitFor();
      const parts = page.locator('header fieldset, nav .brand');
      const places = () => parts.evaluateAll((found) => found.map((part) => part.getBoundingClientRect()));
      const early = await places();
      assert.equal(early.length, 2);
      assert.equal(await bar(page).logIn.count(), 0);
      assert.equal(await bar(page).menu.count(), 0);

      answer();
      await bar(page).logIn.waitFor();
      assert.deepEqual(await places(), early);
    }));

  test('a server that does not know leaves it open', () =>
    visit(
      async (page) => {
        const answered = page.waitForResponse('**/auth/me');
        await page.route('/auth/me', (route) => route.fulfill({ status: 503, body: 'later' }));
        await page.goto('/docs');
        await answered;
        await page.locator('article').first().waitFor();
        assert.equal(await bar(page).logIn.count(), 0);
        assert.equal(await bar(page).menu.count(), 0);
      },
      { expected: /503 .*\/auth\/me/ },
    ));

  test('a failed logout is told and can be tried again', () =>
    visit(
      async (page) => {
        await logIn(page);
        await page.goto('/');
        await page.route('/auth/logout', (route) => route.abort('internetdisconnected'));
        const logOut = async () => {
          await page.getByRole('button', { name: 'Open navigation' }).click();
          await page
            .getByRole('dialog', { name: 'Navigation' })
            .getByRole('button', { name: 'Log out' })
            .click();
        };
        await logOut();
        await bar(page)
          .failure.getByText('You may still be logged in: the server is not responding.')
          .waitFor();
        await assertFits(page);
        await screenshot(page, 'logout-failed', { fullPage: false });
        assert.deepEqual(await axeViolations(page), []);
        assert.notEqual(await whoAmI(page), undefined);

        await page.getByRole('button', { name: 'Dismiss' }).click();
        assert.equal(await bar(page).failure.count(), 0);
        await page.unroute('/auth/logout');
        await logOut();
        await page.waitForURL(/\/login\?next=/);
      },
      { options: { viewport: PHONE }, expected: /ERR_INTERNET_DISCONNECTED.*\/auth\/logout/ },
    ));

  test('a page that the browser kept learns of a login elsewhere', () =>
    visit(async (page) => {
      await page.goto('/docs');
      await bar(page).logIn.waitFor();
      await logIn(page);
      // The browser under test keeps no pages, so it is told what one that does would say.
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
      await bar(page).menu.waitFor();
    }));

  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    for (const [name, display_name] of /** @type {const} */ ([
      ['short', 'Ada Lovelace'],
      ['long', 'Wolfeschlegelsteinhausenbergerdorff the Elder of Some Place'],
    ])) {
      test(`a ${name} name fits on a phone and is accessible (${colorScheme})`, () =>
        visit(
          async (page) => {
            await logIn(page);
            await page.route('/auth/me', (route) =>
              route.fulfill({ json: { username: 'ada', display_name } }),
            );
            await page.goto('/docs');
            await bar(page).menu.waitFor();
            await page.locator('article').first().waitFor();
            await assertFits(page);
            await screenshot(page, `name-${name}-phone-${colorScheme}`, { fullPage: false });
            assert.deepEqual(await axeViolations(page), []);
            // The letter of the avatar stands for the name, and all of the button is on the screen.
            const shown = await bar(page).menu.boundingBox();
            assert.ok(
              shown && shown.width >= 24 && shown.x + shown.width <= PHONE.width,
              JSON.stringify(shown),
            );
          },
          { options: { viewport: PHONE, colorScheme } },
        ));
    }
  }
});

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', TALL_PHONE],
])) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`the form is accessible and fits, fresh and with an error (${screen}, ${colorScheme})`, () =>
      visit(
        async (page) => {
          await page.goto('/login');
          await page.getByLabel('Username').waitFor();
          await assertFits(page);
          await screenshot(page, `login-${screen}-${colorScheme}`);
          assert.deepEqual(await axeViolations(page), []);

          // Names of nobody, each used once, so that no wait for too many failures begins.
          await send(page, { username: `nobody_${screen}_${colorScheme}`, password: 'not the password' });
          await page.getByRole('alert').waitFor();
          await assertFits(page);
          await screenshot(page, `login-error-${screen}-${colorScheme}`);
          assert.deepEqual(await axeViolations(page), []);
        },
        { options: { viewport, colorScheme }, expected: REFUSED },
      ));
  }
}
