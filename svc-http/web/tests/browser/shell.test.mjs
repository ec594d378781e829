/** Journeys through the shell, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFits, DESKTOP, logIn, PHONE, useBrowser } from './journeys.mjs';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { largeDocument } from './large-document.mjs';
import { axeViolations } from './visit.mjs';

const PAGES = [
  { name: 'docs', address: '/docs', heading: undefined, settled: 'article' },
  { name: 'not-found', address: '/nowhere', heading: 'Page not found', settled: 'h1' },
];

const { visit, screenshot } = useBrowser();

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    describe(`${screen}, ${colorScheme}`, () => {
      for (const { name, address, heading, settled } of PAGES) {
        test(`${address} is accessible, fits and stays on the server`, () =>
          visit(
            async (page) => {
              await logIn(page);
              await page.goto(address);
              await page.locator(settled).first().waitFor();
              if (heading) assert.equal(await page.locator('h1').textContent(), heading);
              await screenshot(page, `${name}-${screen}-${colorScheme}`);
              await assertFits(page);
              assert.deepEqual(await axeViolations(page), []);
            },
            { options: { viewport, colorScheme } },
          ));
      }

      test('an unfolded operation is accessible and fits', () =>
        visit(
          async (page) => {
            await page.route('/openapi.json', (route) => route.fulfill({ json: largeDocument() }));
            await page.goto('/docs#part_3');
            await page.getByRole('button', { name: 'show fields of items' }).click();
            await page.getByRole('button', { name: 'show fields of content' }).click();
            await screenshot(page, `operation-${screen}-${colorScheme}`, { fullPage: false });
            await assertFits(page);
            assert.deepEqual(await axeViolations(page), []);
          },
          { options: { viewport, colorScheme, reducedMotion: 'reduce' } },
        ));
    });
  }
}

describe('navigation', () => {
  test('links do not load the document again, and back returns', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/');
      await page.evaluate(() => Reflect.set(window, 'sameDocument', true));
      await page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: 'API reference' })
        .click();
      await page.locator('article').first().waitFor();
      assert.equal(new URL(page.url()).pathname, '/docs');
      assert.equal(await page.title(), 'API reference · svc');
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');

      await page.goBack();
      await page.getByRole('heading', { name: 'For you' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/');
      assert.equal(await page.evaluate(() => Reflect.get(window, 'sameDocument')), true);
    }));

  test('coming back finds the page as it was left', () =>
    visit(async (page) => {
      await page.route('/openapi.json', (route) => route.fulfill({ json: largeDocument() }));
      await logIn(page);
      await page.goto('/docs');
      await page.locator('article').last().scrollIntoViewIfNeeded();
      const left = await page.evaluate(() => scrollY);
      assert.ok(left > 1_000);

      // A click by the mouse would make Playwright scroll the page first.
      await page.getByRole('link', { name: 'Home', exact: true }).dispatchEvent('click');
      await page.getByRole('heading', { name: 'For you' }).waitFor();
      await page.waitForFunction(() => scrollY === 0);
      await page.goBack();
      await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 2, left);
    }));

  test('what only the server answers is loaded from it', () =>
    visit(
      async (page) => {
        await logIn(page);
        await page.goto('/hub');
        await page.getByRole('link', { name: 'OpenAPI document' }).click();
        await page.waitForURL('**/openapi.json');
        assert.equal(await page.evaluate(() => document.contentType), 'application/json');
      },
      // JSON cannot name an icon, so Chromium guesses an address.
      { expected: /404 .*\/favicon\.ico/ },
    ));

  test('the not-found page leads back', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/nowhere/at/all?x=1');
      await page.getByText('/nowhere/at/all').waitFor();
      await page.getByRole('link', { name: 'home page', exact: true }).click();
      await page.getByRole('heading', { name: 'For you' }).waitFor();
    }));

  test('the first stop of the keyboard skips to the content', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/');
      await page.getByRole('heading', { name: 'For you' }).waitFor();
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.id === 'main');
    }));
});

describe('sidebar', () => {
  const order = (/** @type {import('playwright-core').Page} */ page) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('heading', { level: 2 }).allInnerTexts();
  const section = (/** @type {import('playwright-core').Page} */ page, /** @type {string} */ name) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('group', { name });

  test('sections close and move, and stay so', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/');
      await section(page, 'Channels').getByRole('link', { name: 'general' }).waitFor();
      const trim = (/** @type {string[]} */ texts) => texts.map((text) => text.trim());
      assert.deepEqual(trim(await order(page)), ['Channels', 'Direct messages', 'More']);
      await section(page, 'Channels').getByRole('button', { name: 'Channels', exact: true }).click();
      await section(page, 'Channels').getByRole('link', { name: 'general' }).waitFor({ state: 'detached' });
      await section(page, 'More').getByRole('button', { name: 'More: section' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Move up' }).click();
      assert.deepEqual(trim(await order(page)), ['Channels', 'More', 'Direct messages']);
      await screenshot(page, 'sidebar-arranged', { fullPage: false });
      assert.deepEqual(await axeViolations(page), []);
      await page.reload();
      await section(page, 'Direct messages').waitFor();
      assert.deepEqual(trim(await order(page)), ['Channels', 'More', 'Direct messages']);
      assert.equal(await section(page, 'Channels').getByRole('link', { name: 'general' }).count(), 0);
    }));

  test('unread only leaves out what has been read', () =>
    visit(async (page) => {
      await logIn(page);
      const agent = await makeAgent(page, unique('ringer'));
      const [loud, calm] = [unique('loud'), unique('calm')];
      for (const name of [loud, calm]) await makeChannel(page, name, { members: [agent.name] });
      await agent.say({ channel: loud, body: 'Hear' });
      await page.goto('/');
      await page.getByRole('switch', { name: 'Unread only' }).check();
      await section(page, 'Channels').getByRole('link', { name: loud }).waitFor();
      assert.equal(await section(page, 'Channels').getByRole('link', { name: calm }).count(), 0);
    }));

  test('its width is moved by keyboard and mouse, and remembered', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/');
      const handle = page.getByRole('separator', { name: 'Sidebar width' });
      const width = async () => (await page.locator('.frame > .side').boundingBox())?.width;
      await handle.press('ArrowRight');
      assert.equal(await width(), 264);
      const box = await handle.boundingBox();
      assert.ok(box);
      await page.mouse.move(box.x + 4, 300);
      await page.mouse.down();
      await page.mouse.move(340, 300);
      await page.mouse.up();
      assert.equal(await width(), 340);
      await page.reload();
      await handle.waitFor();
      assert.equal(await width(), 340);
      await handle.press('Enter');
      assert.equal(await width(), 248);
    }));

  test('the account menu leads to the settings and to the keyboard shortcuts', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/');
      const menu = page.getByRole('button', { name: /^Account menu/ });
      await menu.click();
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      await menu.click();
      await page.getByRole('menuitem', { name: /^Profile and settings/ }).click();
      await page.waitForURL('**/settings');
    }));
});

describe('theme', () => {
  test('a choice is remembered and known before the first paint', () =>
    visit(async (page) => {
      await page.addInitScript(() => {
        // By then the head has run and nothing has been drawn.
        new MutationObserver((_changes, observer) => {
          if (!document.body) return;
          Reflect.set(window, 'themeAtFirst', document.documentElement.dataset['theme']);
          observer.disconnect();
        }).observe(document, { childList: true, subtree: true });
      });
      await logIn(page);
      await page.goto('/');
      const background = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const light = await background();
      const choose = async (/** @type {string} */ name) => {
        await page.getByRole('button', { name: /^Account menu/ }).click();
        await page.getByRole('menuitemcheckbox', { name }).click();
      };
      await choose('Dark theme');
      assert.notEqual(await background(), light);

      await page.reload();
      assert.equal(await page.evaluate(() => Reflect.get(window, 'themeAtFirst')), 'dark');
      await page.getByRole('button', { name: /^Account menu/ }).click();
      assert.ok(await page.getByRole('menuitemcheckbox', { name: 'Dark theme' }).isChecked());
      await page.keyboard.press('Escape');

      await choose('System theme');
      assert.equal(await background(), light);
    }));
});

describe('state of the hub', () => {
  test('a ready hub is called ready', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/hub');
      await page.getByRole('main').getByRole('status').getByText('Ready').waitFor();
      await page.getByText(/^Version \d/).waitFor();
    }));

  test('a degraded hub says why', () =>
    visit(
      async (page) => {
        const worker = { name: 'event_retention', state: 'failing', last_error: 'disk full', failures: 2 };
        const json = {
          status: 'degraded',
          store: { engine: 'sqlite', ok: true, error: null },
          workers: [worker],
        };
        await page.route('/readyz', (route) => route.fulfill({ status: 503, json }));
        await logIn(page);
        await page.goto('/hub');
        const status = page.getByRole('main').getByRole('status');
        await status.getByText('Degraded').waitFor();
        await status.getByText('Event retention failed 2 times in a row: disk full.').waitFor();
        await screenshot(page, 'degraded');
        assert.deepEqual(await axeViolations(page), []);
      },
      { expected: /503 .*\/readyz/ },
    ));

  test('a lost hub is unreachable, and ready again when it is back', () =>
    visit(
      async (page) => {
        await page.clock.install();
        await logIn(page);
        await page.goto('/hub');
        await page.getByRole('main').getByRole('status').getByText('Ready').waitFor();

        await page.route('/readyz', (route) => route.abort());
        await page.clock.fastForward(6_000);
        await page.getByRole('main').getByRole('status').getByText('Unreachable').waitFor();
        await screenshot(page, 'unreachable');
        assert.deepEqual(await axeViolations(page), []);

        await page.unroute('/readyz');
        await page.clock.fastForward(6_000);
        await page.getByRole('main').getByRole('status').getByText('Ready').waitFor();
      },
      { expected: /ERR_FAILED.*\/readyz/ },
    ));

  test('the shape is shown while the first answer is awaited', () =>
    visit(async (page) => {
      /** @type {() => void} */
      let answer = () => undefined;
      const asked = new Promise((resolve) => (answer = () => resolve(undefined)));
      await page.route('/readyz', async (route) => {
        await asked;
        await route.continue();
      });
      await logIn(page);
      await page.goto('/hub');
      await page.getByText('Loading hub status').waitFor();
      await screenshot(page, 'loading');
      assert.deepEqual(await axeViolations(page), []);
      answer();
      await page.getByRole('main').getByRole('status').getByText('Ready').waitFor();
    }));
});

describe('API reference', () => {
  test('describes the server’s own document', () =>
    visit(async (page) => {
      await page.goto('/docs');
      const article = page.locator('article').first();
      await article.getByRole('button').first().click();
      await article.getByRole('heading', { name: 'Responses' }).waitFor();
      await article.getByText(/^curl /).waitFor();
      await screenshot(page, 'docs-unfolded');
      assert.deepEqual(await axeViolations(page), []);
    }));

  test('the filter narrows the list and can be cleared', () =>
    visit(async (page) => {
      await page.goto('/docs');
      const articles = page.locator('article');
      await articles.first().waitFor();
      const all = await articles.count();
      const first = (await articles.first().locator('.path').textContent()) ?? '';

      const filter = page.getByLabel('Filter operations');
      await filter.fill(first);
      await page.getByText(new RegExp(`^\\d+ of ${all} operations$`)).waitFor();
      for (const found of await articles.locator('.path').allTextContents()) assert.ok(found.includes(first));

      await filter.fill('no operation is called like this');
      await page.getByText('No operations match').waitFor();
      assert.equal(await articles.count(), 0);
      await page.getByRole('button', { name: 'Show all' }).click();
      assert.equal(await articles.count(), all);
    }));

  test('a large document with recursive schemas is usable', () =>
    visit(async (page) => {
      await page.route('/openapi.json', (route) => route.fulfill({ json: largeDocument() }));
      await page.goto('/docs');
      await page.getByText('181 operations').waitFor();

      await page.getByRole('link', { name: 'Read part number 177' }).click();
      const article = page.locator('#part_177');
      await article.getByText('Bearer token').waitFor();
      await page.waitForFunction(() => {
        const top = document.getElementById('part_177')?.getBoundingClientRect().top ?? -1;
        return top >= 0 && top < innerHeight;
      });

      await article.getByRole('button', { name: 'show fields of items' }).click();
      await article.getByRole('button', { name: 'show fields of children (recursive)' }).click();
      assert.equal(await article.getByRole('button', { name: 'show fields of children' }).count(), 1);

      await page.getByRole('button', { name: 'Expand all' }).click();
      await page.locator('article.open').nth(180).waitFor();
      await page.getByRole('button', { name: 'Collapse all', exact: true }).click();
      assert.equal(await page.locator('article.open').count(), 0);
    }));

  test('a link to an operation opens it', () =>
    visit(async (page) => {
      await page.route('/openapi.json', (route) => route.fulfill({ json: largeDocument() }));
      await page.goto('/docs#part_90');
      await page.locator('#part_90').getByRole('heading', { name: 'Responses' }).waitFor();
      await page.waitForFunction(() => scrollY > 0);

      // The link is done with: a filter that hides its operation may do so.
      await page.getByLabel('Filter operations').fill('number 171');
      await page.getByText('1 of 181 operations').waitFor();
      assert.equal(await page.locator('#part_90').count(), 0);
    }));

  test('the call can be copied', () =>
    visit(
      async (page) => {
        await page.route('/openapi.json', (route) => route.fulfill({ json: largeDocument() }));
        await page.goto('/docs#part_1');
        await page.getByRole('button', { name: 'Copy: Call GET' }).click();
        await page.getByRole('button', { name: 'Copied: Call GET' }).waitFor();
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        assert.match(copied, /^curl 'http.*\/parts\/1' \\\n {2}-H "Authorization: Bearer \$TOKEN"$/);
      },
      { options: { viewport: DESKTOP, permissions: ['clipboard-read', 'clipboard-write'] } },
    ));

  test('a failure is told and can be tried again', () =>
    visit(
      async (page) => {
        await page.route('/openapi.json', (route) => route.fulfill({ status: 500, body: 'no' }));
        await page.goto('/docs');
        await page.getByText('The server returned status 500.').waitFor();
        await screenshot(page, 'docs-failed');
        assert.deepEqual(await axeViolations(page), []);

        await page.unroute('/openapi.json');
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.locator('article').first().waitFor();
      },
      { expected: /500 .*\/openapi\.json/ },
    ));
});
