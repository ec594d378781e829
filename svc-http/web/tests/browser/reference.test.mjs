/** Journeys through the API reference with a login, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, useBrowser } from './journeys.mjs';
import { axeViolations } from './visit.mjs';

const PHONE = { width: 390, height: 844 };
const { visit, screenshot } = useBrowser();

describe('API reference', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    test(`an operation is tried with the login: ${screen}`, () =>
      visit(
        async (page) => {
          const { username } = await logIn(page);
          const channel = unique('tries');
          await makeChannel(page, channel);
          await page.goto('/docs#send_message');
          const operation = page.locator('#send_message');
          await operation.getByText('"to":"reviewer"').waitFor();
          await operation.getByRole('button', { name: /^Try/ }).click();
          const body = operation.getByLabel('Body');
          assert.equal(JSON.parse(await body.inputValue()).channel, undefined);
          await body.fill('{"channel": ');
          await operation.getByRole('button', { name: 'Send', exact: true }).click();
          await operation.getByText(/^This is not JSON/).waitFor();
          await body.fill(JSON.stringify({ channel, body: 'Sent from the reference' }));
          await operation.getByRole('button', { name: 'Send', exact: true }).click();
          const dialog = page.getByRole('dialog', { name: 'Send this request?' });
          await dialog.getByText(`as @${username}`, { exact: false }).waitFor();
          await dialog.getByRole('button', { name: 'Send' }).click();
          await operation.getByText('201 Created', { exact: true }).waitFor();
          await operation.getByText('"body": "Sent from the reference"').waitFor();
          await operation.getByText(/^\d+ headers$/).click();
          await operation.getByText('content-type', { exact: true }).waitFor();
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);
          await screenshot(page, `try-${screen}`, { fullPage: false });
        },
        { options: { viewport } },
      ));
  }

  test('a read is sent at once, and the code is there in three languages', () =>
    visit(async (page) => {
      const { username } = await logIn(page);
      await page.goto('/docs#get_me');
      const operation = page.locator('#get_me');
      await operation.getByText('TypeScript', { exact: true }).click();
      await operation.getByText('await fetch(').waitFor();
      await operation.getByText('Python', { exact: true }).click();
      await operation.getByText('urllib.request.urlopen').waitFor();
      await operation.getByRole('button', { name: /^Try/ }).click();
      await operation.getByRole('button', { name: 'Send', exact: true }).click();
      await operation.getByText('200 OK', { exact: true }).waitFor();
      await operation.getByText(`"username": "${username}"`).waitFor();
    }));

  test('what answers with a key, takes a password or does not end is not tried here', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/docs');
      for (const [anchor, reason] of /** @type {const} */ ([
        ['create_key', 'because it answers with a secret'],
        ['login', 'because it takes a password or a secret'],
        ['follow_events', 'because its answer does not end'],
        ['upload_attachment', 'because it takes a file'],
        ['ingest_events', 'because it takes a key or a signature'],
      ])) {
        await page.goto(`/docs#${anchor}`);
        await page.locator(`#${anchor}`).getByText(reason, { exact: false }).waitFor();
      }
    }));
});
