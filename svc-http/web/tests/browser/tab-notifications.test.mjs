/** Journeys through notifications of open tabs, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeAgent, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, useBrowser } from './journeys.mjs';
import { axeViolations } from './visit.mjs';

const PHONE = { width: 390, height: 844 };
const { visit, screenshot } = useBrowser();

/**
 * Stands in for the notifications of the system, which headless Chromium does not draw. Each tab keeps what it shows.
 *
 * @param {import('playwright-core').Page} page
 */
async function provideNotifications(page) {
  await page.context().addInitScript(() => {
    const KEPT = 'journey.notifications';
    const shown = /** @type {any[]} */ ([]);
    class StandIn {
      /** @type {(() => void) | null} */
      onclick = null;
      static get permission() {
        return localStorage.getItem(KEPT) ?? 'default';
      }
      static async requestPermission() {
        localStorage.setItem(KEPT, 'granted');
        return 'granted';
      }
      constructor(/** @type {string} */ title, /** @type {any} */ options) {
        this.title = title;
        this.options = options;
        shown.push(this);
      }
      close() {}
    }
    Reflect.set(window, 'Notification', StandIn);
    Reflect.set(window, 'shownNotifications', shown);
  });
}

/**
 * The titles of what a tab has shown.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
const titles = (page) =>
  page.evaluate(() =>
    /** @type {any[]} */ (Reflect.get(window, 'shownNotifications')).map(({ title }) => title),
  );

/**
 * Waits until a tab has shown a notification of somebody.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 * @param {number} [timeout]
 */
const shownOf = (page, name, timeout = 15_000) =>
  page.waitForFunction(
    (wanted) =>
      /** @type {any[]} */ (Reflect.get(window, 'shownNotifications')).some(({ title }) =>
        title.includes(wanted),
      ),
    name,
    { timeout },
  );

/**
 * Waits until one of the tabs shows notifications: somebody writes until one comes.
 *
 * @param {readonly import('playwright-core').Page[]} tabs
 * @param {string} username
 */
async function ready(tabs, username) {
  const [first] = tabs;
  assert.ok(first);
  const caller = await makeAgent(first, unique('caller'));
  for (let attempt = 0; attempt < 15; attempt += 1) {
    await caller.say({ to: username, body: `Is anybody there? ${attempt}` });
    const answers = tabs.map((tab) => shownOf(tab, caller.name, 1_000));
    const isShown = await Promise.any(answers).then(
      () => true,
      () => false,
    );
    await Promise.allSettled(answers);
    if (isShown) return caller;
  }
  return assert.fail('no tab shows notifications');
}

/** @param {import('playwright-core').Page} page */
async function turnOn(page) {
  await page.goto('/settings?tab=notifications');
  await page.getByRole('switch', { name: 'Notifications of open tabs' }).click();
  await page.getByRole('switch', { name: 'Sound' }).waitFor();
}

describe('notifications of open tabs', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    test(`they are turned on by a click, silent, and paused for a while: ${screen}`, () =>
      visit(
        async (page) => {
          await provideNotifications(page);
          await logIn(page);
          await turnOn(page);
          assert.equal(await page.getByRole('switch', { name: 'Sound' }).isChecked(), false);
          await page.getByRole('button', { name: 'Pause for 1 hour' }).click();
          await page.getByText(/^Paused until \d\d:\d\d/).waitFor();
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);
          await screenshot(page, `tab-notifications-${screen}`);
          await page.getByRole('button', { name: 'Resume' }).click();
          await page.getByRole('button', { name: 'Pause until tomorrow' }).waitFor();
        },
        { options: { viewport } },
      ));
  }

  test('one of two tabs shows a message, and opens it', () =>
    visit(async (page) => {
      await provideNotifications(page);
      const { username } = await logIn(page);
      const [agent, next] = [await makeAgent(page, unique('teller')), await makeAgent(page, unique('next'))];
      await turnOn(page);
      const other = await page.context().newPage();
      await other.goto('/search');
      await other.locator('#syntax').waitFor();
      await page.goto('/agents');
      await page.getByRole('heading', { name: 'Agents' }).waitFor();

      const caller = await ready([page, other], username);
      const message = await agent.say({ to: username, body: 'The **build** is green' });
      const shower = await Promise.any(
        [page, other].map(async (tab) => {
          await shownOf(tab, agent.name);
          return tab;
        }),
      );
      // Messages are considered in turn: after the second one, nothing more comes of the first.
      await next.say({ to: username, body: 'And so is the other one' });
      await shownOf(shower, next.name);
      const all = [...(await titles(page)), ...(await titles(other))];
      assert.deepEqual(
        all.filter((title) => title !== `@${caller.name}`),
        [`@${agent.name}`, `@${next.name}`],
      );
      await shower.evaluate(
        (wanted) =>
          /** @type {any[]} */ (Reflect.get(window, 'shownNotifications'))
            .find(({ title }) => title === wanted)
            .onclick(),
        `@${agent.name}`,
      );
      await shower.waitForURL(
        ({ pathname, search }) => pathname === `/dm/${agent.name}` && search === `?m=${message.id}`,
      );
      await other.close();
    }));

  test('nothing is shown of a conversation that is on screen', () =>
    visit(async (page) => {
      await provideNotifications(page);
      const { username } = await logIn(page);
      const [near, far] = [await makeAgent(page, unique('near')), await makeAgent(page, unique('far'))];
      await near.say({ to: username, body: 'Hello' });
      await turnOn(page);
      await page.goto(`/dm/${near.name}`);
      await page.locator('article').filter({ hasText: 'Hello' }).waitFor();
      const caller = await ready([page], username);
      // Messages are considered one after the other, so the second one tells that the first was passed over.
      await near.say({ to: username, body: 'On screen' });
      await far.say({ to: username, body: 'Elsewhere' });
      await shownOf(page, far.name);
      const others = (await titles(page)).filter((title) => title !== `@${caller.name}`);
      assert.deepEqual(others, [`@${far.name}`]);
    }));
});
