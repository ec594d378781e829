/** Journeys through the wiki, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFits, DESKTOP, logIn, PHONE, post, stored, useBrowser } from './journeys.mjs';
import { newName } from './making-agents.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ slug: string, title: string, revision: number, body: string }} Article */

const { visit, screenshot } = useBrowser();

/** Refusals that a journey brings about: each is an error in the console of Chromium. */
const REFUSALS = /(404|409) .*\/api\/wiki\//;

/**
 * Waits until the page follows what happens.
 *
 * @param {Page} page
 */
const live = (page) => page.getByTitle('Connected. Everything is up to date.').waitFor();

/**
 * @param {Page} page
 * @param {string} slug
 * @param {string} body
 * @param {object} [more]
 * @returns {Promise<Article>}
 */
function write(page, slug, body, more = {}) {
  return post(page, '/api/wiki/articles', { slug, title: `Title of ${slug}`, body, ...more });
}

/**
 * @param {Page} page
 * @param {string} slug
 * @returns {Promise<Article>}
 */
async function read(page, slug) {
  return (await page.request.get(`/api/wiki/articles/${slug}`)).json();
}

/**
 * Saves as somebody else would.
 *
 * @param {Page} page
 * @param {string} slug
 * @param {string} body
 */
async function saveElsewhere(page, slug, body) {
  const { revision } = await read(page, slug);
  const response = await page.request.put(`/api/wiki/articles/${slug}`, {
    data: { body, base_revision: revision },
    headers: { origin: serverOrigin() },
  });
  assert.ok(response.ok(), `saving ${slug}: ${response.status()} ${await response.text()}`);
}

/**
 * Takes articles away, so that others find the wiki as it was.
 *
 * @param {Page} page
 * @param {string[]} slugs
 */
async function remove(page, ...slugs) {
  for (const slug of slugs) {
    const response = await page.request.delete(`/api/wiki/articles/${slug}`, {
      headers: { origin: serverOrigin() },
    });
    assert.ok(response.status() < 500, `deleting ${slug}: ${response.status()}`);
  }
}

/**
 * @param {Page} page
 * @param {string} text
 */
const saved = async (page, text) => {
  await page.getByRole('status').getByText(text).first().waitFor();
};

/** Waits until the browser keeps a draft with these words. */
const kept = (/** @type {Page} */ page, /** @type {string} */ words) =>
  page.waitForFunction((words) => Object.values(localStorage).some((text) => text.includes(words)), words);

describe('an article', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`is written, linked, read, found, compared, renamed, deleted and restored (${screen}, ${colorScheme})`, () =>
        visit(
          async (page) => {
            await logIn(page);
            const look = async (/** @type {string} */ step) => {
              await screenshot(page, `wiki-${step}-${screen}-${colorScheme}`);
              await assertFits(page);
              assert.deepEqual(await axeViolations(page), [], step);
            };
            const h1 = page.getByRole('heading', { level: 1 });
            const [deploy, rota, wanted] = [newName('deploy'), newName('rota'), newName('wanted')];
            await write(page, rota, 'Ann, then Bob.');
            try {
              // Creating.
              await page.goto('/wiki');
              await page.getByRole('link', { name: 'New article' }).first().click();
              await page.waitForURL('**/wiki/-/new');
              const create = page.getByRole('button', { name: 'Create article' });
              await create.click();
              await page.getByText('Enter a title.').waitFor();
              await page.locator('input:focus[aria-invalid="true"]').waitFor();
              await look('refused');
              const title = `How ${deploy} works`;
              await page.getByRole('textbox', { name: 'Title' }).fill(title);
              await page.getByRole('textbox', { name: 'Address' }).fill(deploy);
              const text = page.getByRole('textbox', { name: 'Text' });
              await text.fill(
                `# Before\n\nAsk first.\n\n## Checks\n\nAll green.\n\n# Doing it\n\nPush.\n\nSee `,
              );

              // A link is completed with the keyboard.
              await text.press('Control+End');
              await text.pressSequentially(`[[Title of ${rota}`);
              const options = page.getByRole('listbox', { name: 'Articles' });
              await options.getByRole('option', { name: rota }).first().waitFor();
              await look('completion');
              await text.press('Enter');
              await options.waitFor({ state: 'detached' });
              assert.ok((await text.inputValue()).endsWith(`See [[${rota}]]`));
              await text.pressSequentially(` and [[${wanted}|the missing one]].`);
              if (screen === 'phone') await page.getByText('Preview', { exact: true }).click();
              const preview = page.getByRole('region', { name: 'Preview' });
              await preview.getByRole('link', { name: 'the missing one' }).waitFor();
              await look('preview');
              if (screen === 'phone') await page.getByText('Write', { exact: true }).click();

              // What was written outlives a reload.
              await kept(page, 'the missing one');
              await page.reload();
              await page.getByText(/^Your draft from .* was restored/).waitFor();
              assert.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), title);
              await page.getByRole('textbox', { name: 'Summary of the change' }).fill('First words');
              await page.getByRole('textbox', { name: 'Text' }).press('Control+Enter');
              await page.waitForURL(`**/wiki/${deploy}`);
              await h1.getByText(title).waitFor();

              // Reading.
              const article = page.getByRole('article', { name: title });
              await article.getByRole('heading', { name: 'Checks', level: 3 }).waitFor();
              const contents = page.getByRole('navigation', { name: 'Contents' });
              if (screen === 'phone') await contents.getByText('On this page').click();
              await contents.getByRole('link', { name: 'Doing it' }).click();
              await page.waitForURL('**#section-doing-it');
              await article.locator(`a.missing[href="/wiki/-/new?slug=${wanted}"]`).waitFor();
              await look('reading');
              await article.getByRole('link', { name: rota }).click();
              await page.waitForURL(`**/wiki/${rota}`);
              const backlinks = page.getByRole('region', { name: 'Linked from' });
              await backlinks.getByRole('link', { name: title }).waitFor();
              await look('backlinks');

              // The map, as a graph and as lists.
              await page.goto('/wiki');
              await live(page);
              const map = page.getByRole('group', { name: /^Map of the wiki/ });
              const node = map.getByRole('link', { name: new RegExp(`^Title of ${rota}`) });
              await node.waitFor();
              await map.getByRole('link', { name: new RegExp(`^${wanted}, wanted`) }).waitFor();
              await look('graph');
              await page.getByText('Lists', { exact: true }).click();
              await page.waitForURL('**/wiki?view=lists');
              await page.getByRole('link', { name: `Create ${wanted}` }).waitFor();
              await look('lists');
              await page.getByRole('searchbox', { name: 'Search the wiki' }).fill(`title ${rota}`);
              const found = page.getByRole('region', { name: 'Search results' });
              await found.getByRole('link', { name: `Title of ${rota}` }).waitFor();
              await page.waitForURL(/[?&]q=title/);
              await look('found');

              // A link to an article that does not exist leads to a page that creates it.
              await page.goto(`/wiki/${wanted}`);
              await page.getByText('This article does not exist yet').waitFor();
              await backlinks.getByRole('link', { name: title }).waitFor();
              await look('missing');
              await page.getByRole('link', { name: 'Create article' }).click();
              assert.equal(await page.getByRole('textbox', { name: 'Address' }).inputValue(), wanted);

              // Editing, and what changed.
              await page.goto(`/wiki/${deploy}/edit`);
              const body = page.getByRole('textbox', { name: 'Text' });
              await body.fill((await body.inputValue()).replace('Ask first.', 'Ask Ann first.'));
              await page.getByRole('textbox', { name: 'Summary of the change' }).fill('Whom to ask');
              await body.press('Control+s');
              await page.waitForURL(`**/wiki/${deploy}`);
              await article.getByText('Ask Ann first.').waitFor();
              await page.getByRole('link', { name: 'History', exact: true }).click();
              await page.getByText('Whom to ask').waitFor();
              await page.getByRole('button', { name: 'Compare 1 with 2' }).click();
              await page.waitForURL(`**/wiki/${deploy}/history?from=1&to=2`);
              const diff = page.getByRole('region', { name: 'Revision 1 compared with 2' });
              await diff.locator('ins', { hasText: 'Ann' }).waitFor();
              await diff.getByText('1 line added, 1 line removed').waitFor();
              await look('diff');
              await page.getByRole('link', { name: 'Revision 1', exact: true }).click();
              await page.getByText('An earlier text.').waitFor();
              await page.getByText('Ask first.').waitFor();
              await look('revision');
              await page.getByRole('button', { name: 'Restore…' }).click();
              const setBack = page.getByRole('dialog', { name: 'Restore revision 1?' });
              await setBack.getByRole('button', { name: 'Restore revision' }).click();
              await page.waitForURL(`**/wiki/${deploy}`);
              await article.getByText('Ask first.').waitFor();
              await page.getByText('Revision 3').waitFor();

              // Renaming leaves a redirect.
              const renamed = `${deploy}-guide`;
              await page.getByRole('button', { name: 'More actions for this article' }).click();
              await page.getByRole('menuitem', { name: 'Rename…' }).click();
              const rename = page.getByRole('dialog', { name: 'Rename article' });
              await rename.getByRole('textbox', { name: 'Address' }).fill('Not A Slug');
              await rename.getByRole('button', { name: 'Rename article' }).click();
              await rename
                .getByRole('alert')
                .getByText(/^Use 2 to 100/)
                .waitFor();
              await rename.getByRole('textbox', { name: 'Address' }).fill(renamed);
              await look('rename');
              await rename.getByRole('button', { name: 'Rename article' }).click();
              await page.waitForURL(`**/wiki/${renamed}`);
              await h1.getByText(title).waitFor();
              await page.goto(`/wiki/${deploy}`);
              await page.getByText(`Redirected from ${deploy}`).waitFor();
              await look('redirected');

              // Deleting can be undone.
              await page.goto(`/wiki/${renamed}`);
              await page.getByRole('button', { name: 'More actions for this article' }).click();
              await page.getByRole('menuitem', { name: 'Delete…' }).click();
              const gone = page.getByRole('dialog', { name: 'Delete this article?' });
              await gone.getByRole('textbox', { name: 'Summary' }).fill('Outdated');
              await gone.getByRole('button', { name: 'Delete article' }).click();
              await page.getByText('This article was deleted', { exact: true }).waitFor();
              await look('deleted');
              await page.getByRole('button', { name: 'Restore article' }).click();
              await article.getByText('Ask first.').waitFor();
              await remove(page, renamed);
            } finally {
              await remove(page, deploy, rota);
            }
          },
          { options: { viewport, colorScheme, reducedMotion: 'reduce' }, expected: REFUSALS },
        ));
    }
  }

  test('that is stale is verified', () =>
    visit(async (page) => {
      await logIn(page);
      const slug = newName('stale');
      await write(page, slug, 'Still true?', { stale_after: '2020-01-01' });
      try {
        await page.goto('/wiki?view=lists');
        await page.getByRole('button', { name: `Verify Title of ${slug}` }).waitFor();
        await page.goto(`/wiki/${slug}`);
        await page.getByText('Stale.', { exact: true }).waitFor();
        await screenshot(page, 'wiki-stale');
        assert.deepEqual(await axeViolations(page), []);
        await page.getByRole('button', { name: 'Verify…' }).click();
        const dialog = page.getByRole('dialog', { name: 'Verify this article?' });
        await dialog.getByRole('button', { name: 'Verify article' }).click();
        await page.getByText('Stale.', { exact: true }).waitFor({ state: 'detached' });
        await page.getByText(/^\s*Verified by/).waitFor();
      } finally {
        await remove(page, slug);
      }
    }));

  test('that changes while it is read is shown as it is now', () =>
    visit(async (page) => {
      await logIn(page);
      const slug = newName('quiet');
      await write(page, slug, 'Before.');
      try {
        await page.goto(`/wiki/${slug}`);
        await page.getByText('Before.').waitFor();
        await live(page);
        await saveElsewhere(page, slug, 'Afterwards.');
        await page.getByText('Afterwards.').waitFor();
      } finally {
        await remove(page, slug);
      }
    }));

  test('is linked in messages', () =>
    visit(async (page) => {
      await logIn(page);
      const [slug, channel] = [newName('linked'), newName('talk')];
      await write(page, slug, 'Here I am.');
      await post(page, '/api/channels', { name: channel });
      try {
        await page.goto(`/c/${channel}`);
        const text = `Read [[${slug}]] and [[${slug}|the guide]], not \`[[${slug}]]\``;
        await page.getByRole('textbox').last().fill(text);
        await page.getByRole('button', { name: 'Send' }).click();
        await stored(page, 'the guide');
        const message = page.locator('article').filter({ hasText: 'the guide' });
        assert.equal(await message.locator(`a[href="/wiki/${slug}"]`).count(), 2);
        await message.getByRole('link', { name: 'the guide' }).click();
        await page.getByText('Here I am.').waitFor();
      } finally {
        await remove(page, slug);
      }
    }));

  test('is found in the palette', () =>
    visit(async (page) => {
      await logIn(page);
      const slug = newName('palette');
      await write(page, slug, 'Found.');
      try {
        await page.goto('/');
        await live(page);
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: /^Go to a channel/ }).fill(`Title of ${slug}`);
        await page.getByRole('option', { name: `Title of ${slug} Article` }).click();
        await page.waitForURL(`**/wiki/${slug}`);
        await page.getByText('Found.').waitFor();
      } finally {
        await remove(page, slug);
      }
    }));
});

describe('two at once', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    test(`changes that fit together are merged, others are resolved by hand (${screen})`, () =>
      visit(
        async (page) => {
          await logIn(page);
          const slug = newName('both');
          const lines = ['# Start', '', 'One.', '', '# Middle', '', 'Two.', '', '# End', '', 'Three.', ''];
          await write(page, slug, lines.join('\n'));
          const browser = page.context().browser();
          assert.ok(browser);
          const other = await browser.newContext({
            baseURL: serverOrigin(),
            serviceWorkers: 'block',
            viewport: DESKTOP,
            storageState: await page.context().storageState(),
          });
          const look = async (/** @type {string} */ step) => {
            await screenshot(page, `wiki-${step}-${screen}`);
            await assertFits(page);
            assert.deepEqual(await axeViolations(page), [], step);
          };
          try {
            const second = await other.newPage();
            second.setDefaultTimeout(15_000);
            const textOf = (/** @type {Page} */ one) => one.getByRole('textbox', { name: 'Text' });
            const replace = async (
              /** @type {Page} */ one,
              /** @type {string} */ from,
              /** @type {string} */ to,
            ) => {
              const text = textOf(one);
              await text.fill((await text.inputValue()).replace(from, to));
            };
            const openBoth = async () => {
              for (const one of [page, second]) {
                await one.goto(`/wiki/${slug}/edit`);
                await textOf(one).waitFor();
                await live(one);
              }
            };

            // Both changes fit together.
            await openBoth();
            await replace(second, 'One.', 'One, by the other.');
            await textOf(second).press('Control+s');
            await second.waitForURL(`**/wiki/${slug}`);
            await page.getByText(/saved revision 2 while you edit/).waitFor();
            await page.getByRole('button', { name: 'Show the difference' }).click();
            await page.getByText('One, by the other.').first().waitFor();
            await look('meanwhile');
            await replace(page, 'Three.', 'Three, by me.');
            await textOf(page).press('Control+s');
            await page.getByRole('heading', { name: 'Another change was saved first' }).waitFor();
            const merged = page.getByRole('region', { name: 'Merged text' });
            await merged.getByText('One, by the other.').waitFor();
            await merged.getByText('Three, by me.').waitFor();
            await look('merge');
            await page.getByText('Theirs', { exact: true }).click();
            await page
              .getByRole('region', { name: 'Theirs' })
              .getByText('One, by the other.')
              .first()
              .waitFor();
            await look('theirs');
            await page.getByText('Yours', { exact: true }).click();
            await page.getByRole('region', { name: 'Yours' }).getByText('Three, by me.').waitFor();
            await page.getByText('Merge', { exact: true }).click();
            await page.getByRole('button', { name: 'Save the merge' }).click();
            await page.waitForURL(`**/wiki/${slug}`);
            await saved(page, 'Saved as revision 3.');
            const both = await read(page, slug);
            assert.match(both.body, /One, by the other\.[^]*Three, by me\./);

            // Both change the same line.
            await openBoth();
            await replace(second, 'Two.', 'Two, as the other says.');
            await textOf(second).press('Control+s');
            await second.waitForURL(`**/wiki/${slug}`);
            await replace(page, 'Two.', 'Two, as I say.');
            await textOf(page).press('Control+s');
            await page.getByText('Both changes touch the same lines').waitFor();
            const byHand = page.getByRole('textbox', { name: 'Merged text' });
            assert.match(await byHand.inputValue(), /Two, as I say\./);
            await page
              .getByRole('group', { name: 'Their text' })
              .getByText('Two, as the other says.')
              .waitFor();
            await look('conflict');

            // Nothing is lost by a reload in the midst of it.
            await byHand.fill((await byHand.inputValue()).replace('Two, as I say.', 'Two, as both say.'));
            await kept(page, 'Two, as both say.');
            await page.reload();
            await page.getByText(/^Your draft from .* was restored/).waitFor();
            await textOf(page).press('Control+s');
            await page.getByRole('textbox', { name: 'Merged text' }).waitFor();
            await page.getByRole('button', { name: 'Save as revision on top of 4' }).click();
            await page.waitForURL(`**/wiki/${slug}`);
            await page.getByText('Two, as both say.').waitFor();
            assert.equal((await read(page, slug)).revision, 5);
          } finally {
            await other.close();
            await remove(page, slug);
          }
        },
        { options: { viewport, reducedMotion: 'reduce' }, expected: REFUSALS },
      ));
  }
});
