/** Journeys through the search, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, PHONE, useBrowser } from './journeys.mjs';
import { axeViolations } from './visit.mjs';

const { visit, screenshot } = useBrowser();
const word = unique('zebra').replace('-', '');
const channel = unique('stable');
const other = unique('meadow');
const name = unique('groom');
const MESSAGES = 30;

describe('search', () => {
  before(() =>
    visit(async (page) => {
      await logIn(page);
      const agent = await makeAgent(page, name);
      await makeChannel(page, channel, { members: [name] });
      await makeChannel(page, other, { members: [name] });
      for (let index = 0; index < MESSAGES; index += 1) {
        await agent.say({ channel, body: `${word} number ${index} <b>ran</b>` });
      }
      await agent.say({ channel: other, body: `${word} on the meadow` });
    }),
  );

  test('typed filters become chips, and the address can be shared', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/search');
      await page.getByRole('heading', { name: 'Search tips' }).waitFor();
      await page.getByLabel('Search messages').fill(`${word} in:${channel} from:${name}`);
      await page.keyboard.press('Enter');
      await page.getByText('30 messages', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: `Filter: in #${channel}`, exact: true }).waitFor();
      assert.equal(await page.getByLabel('Search messages').inputValue(), word);
      assert.equal(await page.locator('mark').first().textContent(), word);
      // What others wrote stays text.
      await page.getByText('<b>ran</b>').first().waitFor();
      await screenshot(page, 'search-hits');

      const address = page.url();
      await page.goto('/');
      await page.goto(address);
      await page.getByText('30 messages', { exact: true }).first().waitFor();

      await page.getByRole('button', { name: `Filter: in #${channel}`, exact: true }).click();
      await page.getByRole('button', { name: `Exclude #${channel}` }).click();
      await page.getByRole('button', { name: `Filter: not in #${channel}`, exact: true }).waitFor();
      await page.getByText('1 message', { exact: true }).first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: `Remove filter: not in #${channel}` }).click();
      await page.getByText('31 messages', { exact: true }).first().waitFor();
      await page.goBack();
      await page.getByText('1 message', { exact: true }).first().waitFor();
    }));

  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    test(`${screen}: filters can be chosen instead of typed, by keyboard too`, () =>
      visit(
        async (page) => {
          await logIn(page);
          await page.goto(`/search?q=${word}`);
          await page.getByText('31 messages', { exact: true }).first().waitFor();
          await page.getByRole('button', { name: 'Filter: In', exact: true }).press('Enter');
          const editor = page.getByRole('dialog', { name: 'Filter: In' });
          await editor.getByRole('combobox', { name: 'Channel' }).fill(other);
          await editor.getByRole('option', { name: `#${other}` }).waitFor();
          await screenshot(page, `search-filter-${screen}`, { fullPage: false });
          assert.deepEqual(await axeViolations(page), []);
          await assertFits(page);
          await page.keyboard.press('ArrowDown');
          await page.keyboard.press('Enter');
          await page.getByText('1 message', { exact: true }).first().waitFor();
          assert.equal(new URL(page.url()).searchParams.get('channel'), other);
          await page.keyboard.press('Escape');
          await page.keyboard.press('Escape');
          await editor.waitFor({ state: 'hidden' });
          await page.getByRole('button', { name: 'Filter: Has', exact: true }).click();
          await page.getByRole('checkbox', { name: 'attachment' }).check();
          await page.getByText('No results').waitFor();
          await page.keyboard.press('Escape');
          await page.getByRole('button', { name: 'Remove filter: has attachment' }).click();
          await page.getByText('1 message', { exact: true }).first().waitFor();
        },
        { options: { viewport } },
      ));
  }

  test('filters in the words of an address count as if they were typed', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto(`/search?q=${encodeURIComponent(`${word} in:${other}`)}`);
      await page.getByText('1 message', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: `Filter: in #${other}`, exact: true }).waitFor();
      assert.equal(await page.getByLabel('Search messages').inputValue(), word);
    }));

  test('a search is saved, opened from the page of the search, and removed', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto(`/search?q=${word}&channel=${other}`);
      await page.getByRole('button', { name: 'Save search' }).click();
      await page.getByRole('button', { name: 'Saved' }).waitFor();
      await page.goto('/search');
      const saved = page.getByRole('region', { name: 'Saved searches' });
      assert.deepEqual(await axeViolations(page), []);
      await saved.getByRole('link', { name: `${word} in:${other}` }).click();
      await page.getByText('1 message', { exact: true }).first().waitFor();
      await page.goBack();
      await saved.getByRole('button', { name: `Remove saved search: ${word} in:${other}` }).click();
      await saved.getByText('None yet.').waitFor();
    }));

  test('the keyboard walks through what was found and opens it', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto(`/search?q=${word}&channel=${channel}&sort=newest`);
      await page.getByText('30 messages', { exact: true }).first().waitFor();
      await page.locator('body').press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
      assert.match(focused, /number 29/);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/c/${channel}?m=*`);
    }));

  test('the next page is another address', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto(`/search?q=${word}&channel=${channel}`);
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('Page 2 of 2').waitFor();
      assert.equal(new URL(page.url()).searchParams.get('page'), '2');
      await page.waitForFunction(() => document.querySelectorAll('main ol li').length === 5);
      await page.goBack();
      await page.getByText('Page 1 of 2').waitFor();
    }));

  test('a wrong date is told where it was given', () =>
    visit(
      async (page) => {
        await logIn(page);
        await page.goto('/search');
        await page.getByLabel('Search messages').fill(`${word} after:soon`);
        await page.getByRole('button', { name: 'Search', exact: true }).click();
        await page
          .getByRole('alert')
          .getByText(/^after: must be a day/)
          .waitFor();
        await page.getByRole('button', { name: 'Remove filter: after soon' }).click();
        await page.getByText('31 messages', { exact: true }).first().waitFor();
      },
      { expected: /400 .*\/api\/messages\/search/ },
    ));

  test('the palette finds messages, and leads to what was open of late first', () =>
    visit(async (page) => {
      await logIn(page);
      for (const address of [`/c/${channel}`, `/c/${other}`, '/']) {
        await page.goto(address);
        await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
      }
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Command palette' });
      const recent = palette.getByRole('group', { name: 'Recent' });
      await recent.getByRole('option').first().waitFor();
      const [first = '', second = ''] = await recent.getByRole('option').allInnerTexts();
      assert.ok(first.includes(`#${other}`) && second.includes(`#${channel}`), `${first}, ${second}`);
      await palette.getByRole('combobox').fill(`${word} in:${other}`);
      const found = palette.getByRole('group', { name: 'Messages' });
      await found.getByRole('option', { name: `${word} on the meadow` }).waitFor();
      await screenshot(page, 'palette', { fullPage: false });
      assert.deepEqual(await axeViolations(page), []);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/search?q=*');
      await page.getByText('1 message', { exact: true }).first().waitFor();
      await page.keyboard.press('Control+k');
      await palette.getByRole('combobox').fill(`${word} in:${other}`);
      await found.getByRole('option', { name: `${word} on the meadow` }).click();
      await page.waitForURL(`**/c/${other}?m=*`);
    }));

  test('nothing found says what to do', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto(`/search?q=${word}x`);
      await page.getByText('No results').waitFor();
      await page.getByRole('button', { name: 'Clear search' }).click();
      await page.getByRole('heading', { name: 'Search tips' }).waitFor();
    }));

  test('what two agents of mine wrote to each other is found, and read where they wrote it', () =>
    visit(async (page) => {
      await logIn(page);
      const asks = await makeAgent(page, unique('asks'));
      const knows = await makeAgent(page, unique('knows'));
      const secret = unique('hoofprint').replace('-', '');
      await asks.say({ to: knows.name, body: `Where is the ${secret}?` });
      await knows.say({ to: asks.name, body: 'Behind the stable.' });
      await page.goto(`/search?q=${secret}`);
      await page.locator('main ol li a').click();
      await page.waitForURL(`**/agents/${knows.name}/with/${asks.name}?m=*`);
      await page.locator('article').filter({ hasText: secret }).waitFor();
      await page.locator('article').filter({ hasText: 'Behind the stable.' }).waitFor();
      assert.equal(await page.getByRole('textbox').count(), 0);
      await page.getByText('Live', { exact: true }).waitFor();
      await asks.say({ to: knows.name, body: 'Thank you.' });
      await page.locator('article').filter({ hasText: 'Thank you.' }).waitFor();
      await screenshot(page, 'agents-conversation', { fullPage: false });
      assert.deepEqual(await axeViolations(page), []);
    }));
});
