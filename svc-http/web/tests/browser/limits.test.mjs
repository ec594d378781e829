/** What is used up, too slow or damaged, told in words. On the server that SVC_URL names, answered for where it has enough. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, post, stored, useBrowser } from './journeys.mjs';
import { picture } from './picture.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

const PHONE = { width: 390, height: 844 };
const { visit, screenshot } = useBrowser();
const REFUSED = /Failed to load resource/;
const GIB = 1024 ** 3;

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const composer = (page) => page.getByRole('textbox', { name: /^Message / });
/** @param {Page} page @param {string} text */
const row = (page, text) => page.locator('article').filter({ hasText: text });
/** @param {Page} page */
const live = (page) => page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });

/** @param {Page} page */
async function openTalk(page) {
  const channel = unique('limits');
  await makeChannel(page, channel);
  await page.goto(`/c/${channel}`);
  await live(page);
  return channel;
}

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const options = { viewport, colorScheme };

    test(`the profile shows what is used (${screen}, ${colorScheme})`, () =>
      visit(
        async (page) => {
          await logIn(page);
          await page.route('/api/usage', (route) =>
            route.fulfill({
              json: {
                files: { used_bytes: 8.5 * GIB, limit_bytes: 10 * GIB },
                messages: { used: 1234, limit: null, window: '24h' },
              },
            }),
          );
          await page.goto('/settings');
          await page.getByText('8.5 GiB of 10 GiB', { exact: true }).waitFor();
          await page.getByText('1,234 in the last 24 hours, no limit', { exact: true }).waitFor();
          const meter = page.getByRole('progressbar', { name: 'Files: 8.5 GiB of 10 GiB' });
          assert.equal(await meter.getAttribute('value'), '0.85');
          assert.equal(await page.getByRole('progressbar').count(), 1);
          await assertFits(page);
          await screenshot(page, `usage-${screen}-${colorScheme}`);
          assert.deepEqual(await axeViolations(page), []);
        },
        { options },
      ));

    test(`what is over a limit says so at the composer, and nothing typed is lost (${screen}, ${colorScheme})`, () =>
      visit(
        async (page) => {
          await logIn(page);
          await openTalk(page);
          await page.route('/api/attachments', (route) =>
            route.fulfill({
              status: 413,
              json: {
                status: 413,
                code: 'file_quota_exceeded',
                detail: 'Too much.',
                used_bytes: 10 * GIB,
                limit_bytes: 10 * GIB,
              },
            }),
          );
          await page.route('/api/messages', (route) =>
            route.fulfill({
              status: 429,
              headers: { 'retry-after': '7000' },
              json: {
                status: 429,
                code: 'message_quota_exceeded',
                detail: 'Too many.',
                used: 200_000,
                limit: 200_000,
              },
            }),
          );
          await composer(page).fill('One too many');
          await composer(page).press('Enter');
          await row(page, 'One too many')
            .getByText('200,000 of 200,000 in 24 hours. Try again in 117 minutes.')
            .waitFor();
          await page
            .locator('input[type=file]')
            .setInputFiles({ name: 'report.txt', mimeType: 'text/plain', buffer: Buffer.from('report') });
          await page.getByText('Not enough storage: you have used 10 GiB of 10 GiB.').waitFor();
          await composer(page).fill('With the report');
          await assertFits(page);
          await screenshot(page, `quota-${screen}-${colorScheme}`, { fullPage: false });
          assert.deepEqual(await axeViolations(page), []);
          await page.reload();
          await row(page, 'One too many').getByText('Not sent.').waitFor();
          assert.equal(await composer(page).inputValue(), 'With the report');

          await page.unroute('/api/messages');
          await row(page, 'One too many').getByRole('button', { name: 'Retry' }).click();
          await stored(page, 'One too many');
          assert.equal(await row(page, 'One too many').count(), 1);
        },
        { options, expected: REFUSED },
      ));

    test(`a search that was stopped says that it is not complete (${screen}, ${colorScheme})`, () =>
      visit(
        async (page) => {
          await logIn(page);
          const channel = unique('slow');
          await makeChannel(page, channel);
          const word = unique('heron').replace('-', '');
          await post(page, '/api/messages', { channel, body: `A ${word} stands still` });
          await page.route(/\/api\/messages\/search/, async (route) => {
            const response = await route.fetch();
            await route.fulfill({ response, json: { ...(await response.json()), partial: true } });
          });
          await page.goto(`/search?q=${word}`);
          const words = 'The search timed out. These results are incomplete; narrow your search.';
          await page.getByRole('main').getByText(words).waitFor();
          await page.getByText('1 message so far', { exact: true }).waitFor();
          await assertFits(page);
          await screenshot(page, `search-partial-${screen}-${colorScheme}`, { fullPage: false });
          assert.deepEqual(await axeViolations(page), []);
          await page.goto(`/search?q=${word}x`);
          await page.getByText('No results yet').waitFor();
          assert.equal(await page.getByText('No results', { exact: true }).count(), 0);
        },
        { options },
      ));

    test(`a damaged file is told as that, where it stands (${screen}, ${colorScheme})`, () =>
      visit(
        async (page) => {
          await logIn(page);
          const channel = unique('damaged');
          await makeChannel(page, channel);
          /** @param {string} name @param {string} mimeType @param {Buffer} buffer */
          const upload = async (name, mimeType, buffer) => {
            const response = await page.request.post('/api/attachments', {
              multipart: { file: { name, mimeType, buffer } },
              headers: { origin: serverOrigin() },
            });
            assert.ok(response.ok(), await response.text());
            return (await response.json()).hash;
          };
          const photo = await upload('photo.png', 'image/png', picture(40, 30));
          const notes = await upload('notes.txt', 'text/plain', Buffer.from(`notes of ${channel}`));
          const whole = await upload('whole.txt', 'text/plain', Buffer.from(`whole of ${channel}`));
          await post(page, '/api/messages', {
            channel,
            body: 'All files',
            attachments: [photo, notes, whole],
          });
          await page.route(new RegExp(`/api/attachments/(${photo}|${notes})`), (route) =>
            route.fulfill({
              status: 500,
              contentType: 'application/problem+json',
              json: { status: 500, code: 'attachment_damaged', detail: 'The stored file is damaged.' },
            }),
          );
          await page.goto(`/c/${channel}`);
          const pictures = row(page, 'All files').getByRole('list', { name: 'Images' });
          await pictures.getByText('File damaged').waitFor();
          await pictures.getByText('photo.png').waitFor();
          assert.equal(await pictures.locator('img').count(), 0);

          const files = row(page, 'All files').getByRole('list', { name: 'Files' });
          await files.getByRole('link', { name: /notes\.txt/ }).click();
          await files.getByText('File damaged').waitFor();
          assert.equal(await files.getByRole('link', { name: /notes\.txt/ }).count(), 0);
          await assertFits(page);
          await screenshot(page, `damaged-${screen}-${colorScheme}`, { fullPage: false });
          assert.deepEqual(await axeViolations(page), []);

          const downloading = page.waitForEvent('download');
          await files.getByRole('link', { name: /whole\.txt/ }).click();
          assert.equal((await downloading).suggestedFilename(), 'whole.txt');
        },
        { options, expected: REFUSED },
      ));
  }
}

describe('pictures', () => {
  test('one without a small picture is shown itself, and damage that is found only then is told', () =>
    visit(
      async (page) => {
        await logIn(page);
        const channel = unique('pictures');
        await makeChannel(page, channel);
        const response = await page.request.post('/api/attachments', {
          multipart: { file: { name: 'map.png', mimeType: 'image/png', buffer: picture(24, 24) } },
          headers: { origin: serverOrigin() },
        });
        const { hash } = await response.json();
        await post(page, '/api/messages', { channel, body: 'The map', attachments: [hash] });
        await page.route(`/api/attachments/${hash}/thumbnail`, (route) =>
          route.fulfill({ status: 404, json: { status: 404, code: 'no_thumbnail' } }),
        );
        await page.goto(`/c/${channel}`);
        const shown = row(page, 'The map').locator(`img[src="/api/attachments/${hash}"]`);
        await shown.waitFor();
        await page.waitForFunction(
          (one) => /** @type {HTMLImageElement} */ (document.querySelector(one))?.naturalWidth === 24,
          `img[src="/api/attachments/${hash}"]`,
        );

        await page.route(`/api/attachments/${hash}`, (route) =>
          route.fulfill({ status: 500, json: { status: 500, code: 'attachment_damaged' } }),
        );
        await page.reload();
        await row(page, 'The map').getByText('File damaged').waitFor();
        assert.equal(await row(page, 'The map').locator('img').count(), 0);
      },
      { expected: REFUSED },
    ));
});
