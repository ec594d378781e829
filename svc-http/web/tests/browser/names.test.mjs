/** Who says something: the handle stands beside the name wherever a message does. On the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, post, useBrowser } from './journeys.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

const { visit, screenshot } = useBrowser();
const PHONE = { width: 390, height: 844 };
const handle = unique('courier');
const channel = unique('names');
const word = unique('walrus').replace('-', '');
const DISPLAY_NAME = 'The Administrator of this whole hub';

/** @typedef {import('playwright-core').Page} Page */

let threadRoot = 0;
/** @type {Awaited<ReturnType<typeof makeAgent>>} */
let agent;
/** @type {string} */
let me;

/** @param {Page} page */
const live = (page) => page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });

/**
 * Gives every answer that lists people another name for the agent, as one that was chosen before names were judged.
 *
 * @param {Page} page
 * @param {string} name
 */
async function callIt(page, name) {
  await page.route(/\/api\/(agents|dm\/partners|channels\/[^/]+\/members)(\?|$)/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({
      response,
      body: text.replaceAll(JSON.stringify(DISPLAY_NAME), JSON.stringify(name)),
    });
  });
}

describe('names', () => {
  before(() =>
    visit(async (page) => {
      ({ username: me } = await logIn(page));
      agent = await makeAgent(page, handle);
      const renamed = await page.request.patch(`/api/agents/${handle}`, {
        data: { display_name: DISPLAY_NAME },
        headers: { origin: serverOrigin() },
      });
      assert.ok(renamed.ok(), await renamed.text());
      await makeChannel(page, channel, { members: [handle], workflow: true });
      const root = await agent.say({ channel, body: `Proposal: **${word}** for everybody` });
      threadRoot = root.id;
      await agent.say({ channel, body: 'One more thing', reply_to: root.id });
      await agent.say({ to: me, body: `Please look at the ${word}`, priority: 8 });
      await post(page, '/api/messages', { channel, body: 'Thank you', reply_to: root.id });
    }),
  );

  // Where a message stands, and the part of the page that names who said it.
  const PLACES = [
    { name: 'timeline', address: () => `/c/${channel}`, who: `[data-message] header .person` },
    {
      name: 'thread',
      address: () => `/c/${channel}?thread=${threadRoot}`,
      who: 'aside article header .person',
    },
    { name: 'board', address: () => `/c/${channel}?view=board`, who: 'section article header .person' },
    { name: 'search', address: () => `/search?q=${word}`, who: 'main ol li .from .person' },
    { name: 'direct', address: () => `/dm/${handle}`, who: 'header h1 .person' },
    { name: 'home', address: () => '/', who: 'main li .title .person' },
  ];

  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      for (const { name, address, who } of PLACES) {
        test(`${name}: name and handle are in one line and fit (${screen}, ${colorScheme})`, () =>
          visit(
            async (page) => {
              await logIn(page);
              await page.goto(address());
              await live(page);
              const person = page.locator(who).filter({ hasText: DISPLAY_NAME }).first();
              await person.waitFor();
              assert.equal(await person.textContent(), `${DISPLAY_NAME} @${handle}`);
              const [box, at] = await Promise.all([
                person.boundingBox(),
                person.locator('.handle').boundingBox(),
              ]);
              assert.ok(
                box && at && at.width > 60 && at.x + at.width <= viewport.width,
                'the handle is in sight',
              );
              assert.ok(box.height < 34, `one line, not ${box.height} pixels`);
              await assertFits(page);
              await screenshot(page, `names-${name}-${screen}-${colorScheme}`, { fullPage: false });
              assert.deepEqual(await axeViolations(page), []);
            },
            { options: { viewport, colorScheme } },
          ));
      }
    }
  }

  test('what is unread is listed with the handle', () =>
    visit(async (page) => {
      await logIn(page);
      await agent.say({ to: me, body: 'Have you seen it?' });
      await page.goto('/search');
      await live(page);
      await page.getByRole('button', { name: /^Unread/ }).click();
      const list = page.getByRole('dialog', { name: 'Unread' });
      await list.getByText(`@${handle}`, { exact: true }).waitFor();
      await screenshot(page, 'names-unread', { fullPage: false });
      assert.deepEqual(await axeViolations(page), []);
    }));

  test('marks that turn text around and hidden letters in an old name change nothing beside it', () =>
    visit(async (page) => {
      await logIn(page);
      // Drawn as it is written, the rest of the line would stand in reverse, and the name would be that of another.
      await callIt(page, '\u202Enimda\u200B\u2066');
      await page.goto(`/c/${channel}`);
      await live(page);
      const person = page.locator('[data-message] header .person').filter({ hasText: 'nimda' }).first();
      await person.waitFor();
      assert.equal(await person.textContent(), `nimda @${handle}`);
      const [name, at] = await Promise.all([
        person.locator('bdi.name').boundingBox(),
        person.locator('bdi.handle').boundingBox(),
      ]);
      assert.ok(name && at && name.x + name.width <= at.x, 'the handle follows the name');
      const label = await page.locator('[data-message]').first().getAttribute('aria-label');
      assert.ok(label?.startsWith(`nimda @${handle}, `), label ?? '');
    }));

  test('a message stays where it is when its name comes later', () =>
    visit(
      async (page) => {
        await logIn(page);
        /** @type {(() => void)[]} */
        const held = [];
        let isLate = true;
        await page.route(/\/api\/(agents|dm\/partners|channels\/[^/]+\/members)(\?|$)/, (route) => {
          if (isLate) held.push(() => void route.continue());
          else void route.continue();
        });
        await page.goto(`/c/${channel}`);
        const rows = page.locator('[data-message]');
        await rows.first().waitFor();
        const places = () =>
          rows.evaluateAll((found) =>
            found.map((row) => {
              const { top, height } = row.getBoundingClientRect();
              return [Math.round(top), Math.round(height)];
            }),
          );
        await page.locator('[data-message] header').filter({ hasText: handle }).first().waitFor();
        assert.equal(await rows.filter({ hasText: DISPLAY_NAME }).count(), 0);
        const early = await places();
        isLate = false;
        for (const go of held) go();
        await rows.filter({ hasText: DISPLAY_NAME }).first().waitFor();
        assert.deepEqual(await places(), early);
      },
      { options: { viewport: PHONE } },
    ));
});
