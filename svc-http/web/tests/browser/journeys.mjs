/** What every file of journeys needs: one browser, fresh visits, screenshots, the account to log in with. */

import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before } from 'node:test';
import { artifactsFolder, launch, newVisit, serverOrigin } from './visit.mjs';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 740 };

/** Opens a browser for the journeys of a file and closes it after the last one. */
export function useBrowser() {
  serverOrigin();
  /** @type {import('playwright-core').Browser} */
  let browser;
  /** @type {string} */
  let artifacts;

  before(async () => {
    browser = await launch();
    artifacts = await artifactsFolder();
    console.log(`screenshots: ${artifacts}`);
  });
  after(() => browser?.close());

  /**
   * Runs a journey in a fresh visit and fails if the page complained about anything.
   *
   * @param {(page: import('playwright-core').Page) => Promise<void>} journey
   * @param {{ options?: import('playwright-core').BrowserContextOptions, expected?: RegExp }} [setting]
   */
  async function visit(journey, { options = { viewport: DESKTOP }, expected } = {}) {
    const { page, complaints, close } = await newVisit(browser, options);
    try {
      await journey(page);
      assert.deepEqual(
        complaints.filter((complaint) => !expected?.test(complaint)),
        [],
      );
    } finally {
      await close();
    }
  }

  /**
   * @param {import('playwright-core').Page} page
   * @param {string} name
   * @param {{ fullPage?: boolean }} [options]
   */
  async function screenshot(page, name, { fullPage = true } = {}) {
    await page.screenshot({ path: path.join(artifacts, `${name}.png`), fullPage });
  }

  return { visit, screenshot };
}

/** @param {import('playwright-core').Page} page */
export async function assertFits(page) {
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(
    (widths[0] ?? 0) <= (widths[1] ?? 0),
    `the page is ${widths[0]} wide on a screen of ${widths[1]}`,
  );
}

/** The account under which journeys log in, from the environment. */
export function credentials() {
  const username = process.env['SVC_USERNAME'];
  const password = process.env['SVC_PASSWORD'];
  if (!username || !password) {
    console.error('SVC_USERNAME and SVC_PASSWORD must be those of an account on the server');
    process.exit(1);
  }
  return { username, password };
}

/**
 * Logs the visit in without its pages, for journeys that begin behind the login.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<{ username: string, display_name: string }>}
 */
export async function logIn(page) {
  return post(page, '/auth/login', credentials());
}

/**
 * Leaves by the account menu of the top bar.
 *
 * @param {import('playwright-core').Page} page
 */
export async function logOut(page) {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
}

/**
 * Asks the API under the visit's login, as a page of the server would.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} address
 * @param {object} data
 */
export async function post(page, address, data) {
  const response = await page.request.post(address, { data, headers: { origin: serverOrigin() } });
  assert.ok(response.ok(), `${address} answered with ${response.status()}: ${await response.text()}`);
  return response.json();
}

/**
 * Waits until a message of one's own is stored: neither being sent nor failed.
 * @param {import('playwright-core').Page} page
 * @param {string} text
 */
export async function stored(page, text) {
  const outgoing = page.locator('article[aria-label^="Your message"]').filter({ hasText: text });
  await outgoing.waitFor({ state: 'detached' });
  await page.locator('article').filter({ hasText: text }).waitFor();
}
