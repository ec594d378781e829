/** Journeys of people who read: by keyboard, by links, on small screens, in other scripts, and when something is wrong. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, PHONE, post, useBrowser } from './journeys.mjs';
import { picture } from './picture.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

const { visit, screenshot } = useBrowser();

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page @param {string} text */
const row = (page, text) => page.locator('article').filter({ hasText: text });
/** @param {Page} page */
const composer = (page) => page.getByRole('textbox', { name: /^Message / });
/** What of the page has the focus. @param {Page} page */
const focused = (page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');

/** Fails when the page scrolls as a whole. @param {Page} page */
async function assertPageStays(page) {
  const beyond = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  assert.ok(beyond <= 0, `the page is ${beyond} px longer than the window`);
}

/**
 * A channel with this many messages in it.
 *
 * @param {Page} page
 * @param {readonly string[]} texts
 * @param {{ workflow?: boolean }} [options]
 */
async function channelOf(page, texts, options) {
  const name = unique('read');
  await makeChannel(page, name, options);
  const ids = [];
  for (const body of texts) ids.push((await post(page, '/api/messages', { channel: name, body })).id);
  return { name, ids, address: `/c/${name}` };
}

const numbered = (/** @type {number} */ count) =>
  Array.from({ length: count }, (_, index) => `Message number ${index + 1}.`);

describe('notices', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    test(`${screen}: without a connection, the notice and the composer are both on screen`, () =>
      visit(
        async (page) => {
          await logIn(page);
          const { address } = await channelOf(page, numbered(30));
          await page.goto(address);
          await row(page, 'Message number 30.').waitFor();
          await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
          await page.context().setOffline(true);
          const notice = page.getByRole('status').filter({ hasText: 'You are offline' });
          await notice.waitFor();
          await composer(page).fill('Still here');
          await screenshot(page, `reading-offline-${screen}`, { fullPage: false });
          for (const element of [notice, page.getByRole('button', { name: 'Send', exact: true })]) {
            const box = await element.boundingBox();
            assert.ok(box && box.y >= 0 && box.y + box.height <= viewport.height, JSON.stringify(box));
          }
          await assertPageStays(page);
          assert.ok(await row(page, 'Message number 30.').isVisible());
        },
        { options: { viewport }, expected: /ERR_INTERNET_DISCONNECTED/ },
      ));
  }
});

describe('many channels', () => {
  test('the list of channels scrolls, and the page does not, with unread messages out of sight', () =>
    visit(async (page) => {
      await logIn(page);
      const agent = await makeAgent(page, unique('crier'));
      const { address } = await channelOf(page, ['Here.']);
      const rooms = Array.from({ length: 30 }, () => unique('zone'));
      for (const room of rooms) await makeChannel(page, room, { members: [agent.name] });
      await agent.say({ channel: rooms.at(-1), body: 'Hear me.' });
      await page.goto(address);
      await row(page, 'Here.').waitFor();
      const last = page
        .locator('nav a')
        .filter({ hasText: rooms.at(-1) })
        .filter({ hasText: '1 unread' });
      await last.waitFor({ state: 'attached' });
      assert.ok(((await last.boundingBox())?.y ?? 0) > DESKTOP.height, 'the last channel is in sight');
      await assertPageStays(page);
      await last.scrollIntoViewIfNeeded();
      await last.click();
      await row(page, 'Hear me.').waitFor();
    }));
});

describe('links to messages', () => {
  test('an old direct message is shown among its neighbours, and one reads on from there', () =>
    visit(async (page) => {
      await logIn(page);
      const { name } = await makeAgent(page, unique('pen'));
      const ids = [];
      for (const body of numbered(320)) ids.push((await post(page, '/api/messages', { to: name, body })).id);
      await page.goto(`/dm/${name}?m=${ids[4]}`);
      const target = row(page, 'Message number 5.');
      await target.waitFor();
      assert.ok((await page.locator('article').count()) <= 100);
      // Whoever reads on sees every message, in its turn.
      await page.waitForFunction(readOnTo, 'Message number 200.');
      const texts = await page.locator('main article .markdown').allInnerTexts();
      assert.deepEqual(
        texts.map((text) => text.trim()),
        numbered(texts.length),
      );
      await page.getByRole('button', { name: 'Jump to latest' }).click();
      await row(page, 'Message number 320.').waitFor();

      // By keyboard too the end is that of the conversation.
      await page.goto(`/dm/${name}?m=${ids[4]}`);
      await target.waitFor();
      await page.getByRole('region', { name: /^Messages in/ }).focus();
      await page.keyboard.press('End');
      await row(page, 'Message number 320.').waitFor();
      assert.equal(new URL(page.url()).search, '');
    }));

  test('a link to a message that is not there says so and shows the newest', () =>
    visit(async (page) => {
      await logIn(page);
      const { address } = await channelOf(page, numbered(40));
      await page.goto(`${address}?m=99999999`);
      await row(page, 'Message number 40.').waitFor();
      const note = page.getByRole('status').filter({ hasText: 'not in this conversation' });
      await note.waitFor();
      await page.waitForFunction(() => {
        const last = [...document.querySelectorAll('main article')].at(-1)?.getBoundingClientRect();
        return last && last.bottom <= innerHeight;
      });
      await screenshot(page, 'reading-no-message', { fullPage: false });
      assert.deepEqual(await axeViolations(page), []);
      await note.getByRole('button', { name: 'Close' }).click();
      await note.waitFor({ state: 'detached' });
      assert.equal(new URL(page.url()).search, '');
    }));
});

/** Goes on to the end of what is there, and tells whether this text is there. @param {string} text */
function readOnTo(text) {
  const box = document.querySelector('main .box');
  if (box) box.scrollTop = box.scrollHeight;
  return [...document.querySelectorAll('main article')].some((row) => row.textContent?.includes(text));
}

/** Returns when all rows are drawn, and have stood where they are for some frames. */
function standsStill() {
  return new Promise((done) => {
    let [last, frames] = ['', 0];
    const look = () => {
      const rows = [...document.querySelectorAll('main article')];
      const now = rows.map((row) => `${row.id} ${Math.round(row.getBoundingClientRect().top)}`).join();
      frames = now === last ? frames + 1 : 0;
      last = now;
      if (frames < 20) requestAnimationFrame(look);
      else done(undefined);
    };
    look();
  });
}

describe('by keyboard', () => {
  test('j begins at what is in view, k at the last of it', () =>
    visit(async (page) => {
      await logIn(page);
      const { address } = await channelOf(page, numbered(45));
      await page.goto(address);
      await row(page, 'Message number 45.').waitFor();
      await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
      for (const key of ['j', 'k']) {
        await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
        await page.evaluate(standsStill);
        const before = await page.evaluate(() =>
          [...document.querySelectorAll('main article')]
            .filter((item) => item.getBoundingClientRect().top > 48)
            .map((item) => item.id),
        );
        await page.keyboard.press(key);
        const id = await page.evaluate(() => document.activeElement?.id ?? '');
        assert.equal(id, key === 'j' ? before[0] : before.at(-1));
      }
    }));

  test('r is listed, opens the thread of a message, and Escape closes it', () =>
    visit(async (page) => {
      await logIn(page);
      const { address, ids } = await channelOf(page, numbered(3));
      await page.goto(address);
      await row(page, 'Message number 3.').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Reply in thread').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('j');
      await page.keyboard.press('r');
      const thread = page.getByRole('complementary', { name: 'Thread' });
      const reply = thread.getByRole('textbox', { name: 'Reply' });
      await reply.waitFor();
      await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
      await page.keyboard.type('Half a thought');
      await page.keyboard.press('Escape');
      await thread.waitFor({ state: 'detached' });
      assert.equal(await page.evaluate(() => document.activeElement?.id), `m-${ids[0]}`);
      // The palette has it too, and what was begun is still there.
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('Reply in');
      await page.keyboard.press('Enter');
      await reply.waitFor();
      assert.equal(await reply.inputValue(), 'Half a thought');
      // With the focus anywhere else in the page Escape closes it as well.
      await row(page, 'Message number 3.').first().focus();
      await page.keyboard.press('Escape');
      await thread.waitFor({ state: 'detached' });
    }));

  test('a card that was moved keeps the focus', () =>
    visit(async (page) => {
      await logIn(page);
      const { address } = await channelOf(page, ['Ship it', 'Wait a week'], { workflow: true });
      await page.goto(`${address}?view=board`);
      await page.locator('section article').first().waitFor();
      await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
      await page.keyboard.press('j');
      const text = await focused(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Move to Approved' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Approved' }).getByText(text).waitFor();
      await page.waitForFunction((wanted) => document.activeElement?.textContent?.trim() === wanted, text);
      assert.equal(
        await page.evaluate(() =>
          document.activeElement?.closest('section')?.getAttribute('aria-labelledby'),
        ),
        'column-approved',
      );
    }));
});

describe('board', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    test(`${screen}: columns stand in the order of the work, the last ones compact`, () =>
      visit(
        async (page) => {
          await logIn(page);
          const { address, ids } = await channelOf(page, ['Ship it', 'Shipped'], { workflow: true });
          await post(page, `/api/messages/${ids[1]}/reactions`, { reaction: 'published' });
          await page.goto(`${address}?view=board`);
          const published = page.getByRole('region', { name: 'Published' });
          await published.locator('article.compact').waitFor();
          const titles = await page.locator('.board h2').allInnerTexts();
          assert.deepEqual(
            titles.map((title) => title.replace(/\s*\d+$/, '').trim()),
            ['Proposed', 'Approved', 'In progress', 'Done', 'Published', 'Rejected'],
          );
          if (screen === 'desktop') {
            const last = await page.getByRole('region', { name: 'Rejected' }).boundingBox();
            assert.ok(last && last.x + last.width <= viewport.width, JSON.stringify(last));
          }
          await screenshot(page, `board-${screen}`, { fullPage: false });
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);
        },
        { options: { viewport } },
      ));
  }
});

describe('texts', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    test(`${screen}: deep nesting and wide tables stay within the message, and can be read`, () =>
      visit(
        async (page) => {
          await logIn(page);
          const wide = '| state | meaning | who | when |\n|---|---|---|---|\n';
          const { address } = await channelOf(page, [
            `${'> '.repeat(80)}Deep quotation`,
            `${'- '.repeat(60)}Deep list`,
            `${wide}| proposed | a proposal that waits | everybody | https://example.org/${'long/'.repeat(20)} |`,
          ]);
          await page.goto(address);
          for (const text of ['Deep quotation', 'Deep list', 'proposed']) await row(page, text).waitFor();
          await page.locator('article table').waitFor();
          await screenshot(page, `reading-texts-${screen}`, { fullPage: false });
          await assertFits(page);
          const box = page.getByRole('region', { name: /^Messages in/ });
          assert.ok(await box.evaluate((element) => element.scrollWidth <= element.clientWidth));
          // No word of a table is broken: each stands on one line.
          const cell = page.getByRole('cell', { name: 'proposed', exact: true });
          const lines = await cell.evaluate((element) => {
            const range = document.createRange();
            range.selectNodeContents(element);
            return range.getClientRects().length;
          });
          assert.equal(lines, 1);
          assert.deepEqual(await axeViolations(page), []);
        },
        { options: { viewport } },
      ));
  }

  test('what is written from right to left stands on the right, code does not', () =>
    visit(async (page) => {
      await logIn(page);
      const { address } = await channelOf(page, [
        'مرحبا بالجميع\n\n- أولا\n\n> اقتباس\n\n```\nlet x = 1;\n```',
        'Left to right',
      ]);
      await page.goto(address);
      await page.locator('article pre').waitFor();
      await screenshot(page, 'reading-right-to-left', { fullPage: false });
      const direction = (/** @type {string} */ selector) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => getComputedStyle(element).direction);
      const message = '.markdown:has(pre)';
      assert.equal(await direction(`${message} p`), 'rtl');
      assert.equal(await direction(`${message} ul`), 'rtl');
      assert.equal(await direction(`${message} pre`), 'ltr');
      const isOnTheRight = await page.locator(`${message} > p`).evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const row = element.closest('article')?.getBoundingClientRect();
        return row && range.getBoundingClientRect().left > row.left + row.width / 2;
      });
      assert.ok(isOnTheRight);
      assert.equal(await direction('.markdown:has-text("Left to right")'), 'ltr');
    }));
});

describe('what is written', () => {
  for (const [screen, options] of /** @type {const} */ ([
    ['light', { viewport: DESKTOP, colorScheme: 'light' }],
    ['dark', { viewport: DESKTOP, colorScheme: 'dark' }],
    ['phone', { viewport: PHONE, colorScheme: 'light' }],
  ])) {
    test(`${screen}: code has colours, cells their sides, and tasks boxes`, () =>
      visit(
        async (page) => {
          await logIn(page);
          const agent = await makeAgent(page, unique('coder'));
          const { name, address } = await channelOf(page, [
            '```rust\nfn main() { let one = 1; } // done\n```\n\n```klingon\nnuqneH\n```',
            '| left | right |\n|:--|--:|\n| a | 1 |',
            '- [ ] Write it\n- [x] Read it',
          ]);
          await post(page, `/api/channels/${name}/members`, { members: [agent.name] });
          await agent.say({ channel: name, body: '- [ ] Not mine' });
          await page.goto(address);
          const code = page.locator('article pre').first();
          await code.locator('.code-keyword').first().waitFor();
          assert.equal(await code.textContent(), 'fn main() { let one = 1; } // done\n');
          assert.equal(await page.locator('article pre').nth(1).locator('span').count(), 0);
          const cell = page.getByRole('cell', { name: '1', exact: true });
          assert.equal(await cell.evaluate((element) => getComputedStyle(element).textAlign), 'right');
          assert.ok(await page.getByRole('checkbox', { name: 'Read it' }).isChecked());
          assert.ok(await page.getByRole('checkbox', { name: 'Not mine' }).isDisabled());
          await screenshot(page, `reading-written-${screen}`, { fullPage: false });
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);
        },
        { options },
      ));
  }

  test('the author ticks tasks one after the other, by keyboard, and others see it', () =>
    visit(async (page) => {
      await logIn(page);
      const { address, ids } = await channelOf(page, ['- [ ] Write it\n- [ ] Read it']);
      await page.goto(address);
      await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
      const box = (/** @type {string} */ name) => page.getByRole('checkbox', { name });
      await box('Write it').focus();
      await page.keyboard.press('Space');
      await row(page, 'Write it').getByText('edited').first().waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Write it');
      await box('Read it').check();
      await page.waitForFunction(
        async (id) =>
          (await (await fetch(`/api/messages/${id}`)).json()).body === '- [x] Write it\n- [x] Read it',
        ids[0],
        { polling: 200 },
      );
      await page.reload();
      await box('Read it').waitFor();
      assert.ok(await box('Write it').isChecked());
    }));

  test('a picture is seen before it is sent, and needs no words', () =>
    visit(async (page) => {
      await logIn(page);
      const { address } = await channelOf(page, ['Show me']);
      await page.goto(address);
      await row(page, 'Show me').waitFor();
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'proof.png', mimeType: 'image/png', buffer: Buffer.from(picture(40, 30)) });
      await page.getByRole('img', { name: 'Preview of proof.png' }).waitFor();
      assert.deepEqual(await axeViolations(page), []);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      const sent = page.locator('article').last();
      await sent.getByRole('button', { name: 'Open proof.png' }).waitFor();
      assert.equal(await sent.locator('.markdown').count(), 0);
    }));
});

describe('what is new', () => {
  test('a link leads to a message, and from there to the first unread one', () =>
    visit(async (page) => {
      await logIn(page);
      const agent = await makeAgent(page, unique('herald'));
      const { name, address, ids } = await channelOf(page, numbered(120));
      await post(page, `/api/channels/${name}/members`, { members: [agent.name] });
      const data = { kind: 'channel', name, last_message_id: ids.at(-1) };
      await page.request.post('/api/notifications/mark-read', { data, headers: { origin: serverOrigin() } });
      for (let index = 1; index <= 60; index += 1) await agent.say({ channel: name, body: `News ${index}.` });
      await page.goto(`${address}?m=${ids[4]}`);
      await row(page, 'Message number 5.').waitFor();
      await page.getByRole('button', { name: 'Jump to first unread' }).click();
      await row(page, 'News 1.').first().waitFor();
      await page.getByRole('separator', { name: 'New' }).waitFor();
      assert.equal(new URL(page.url()).search, '');
      await page.getByRole('button', { name: 'Jump to first unread' }).waitFor({ state: 'detached' });
      // At the end the line is still where it was.
      await page.waitForFunction(readOnTo, 'News 60.');
      await page.locator('.new-line').waitFor({ state: 'attached' });
    }));
});

describe('fingers', () => {
  test('Enter begins a line where there is no other way to, and Send sends', () =>
    visit(
      async (page) => {
        await logIn(page);
        const { address } = await channelOf(page, ['Say something']);
        await page.goto(address);
        const text = composer(page);
        await text.pressSequentially('one');
        await text.press('Enter');
        await text.pressSequentially('two');
        assert.equal(await text.inputValue(), 'one\ntwo');
        await page.getByRole('button', { name: 'Send', exact: true }).tap();
        await row(page, 'two').waitFor();
      },
      { options: { viewport: PHONE, hasTouch: true, isMobile: true } },
    ));
});
