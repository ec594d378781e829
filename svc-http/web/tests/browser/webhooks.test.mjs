/**
 * Journeys with webhooks, on the server that SVC_URL names. It must accept endpoints on this machine without TLS:
 * SVC_ALLOW_HTTP_WEBHOOKS=true, SVC_ALLOW_PRIVATE_NETWORKS=127.0.0.0/8.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFits, DESKTOP, logIn, PHONE, post, useBrowser } from './journeys.mjs';
import { deleteAgent, makeAgent, newName } from './making-agents.mjs';
import { isSignedBy, startReceiver } from './receiver.mjs';
import { axeViolations } from './visit.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {Awaited<ReturnType<typeof startReceiver>>} Receiver */

const { visit, screenshot } = useBrowser();

/**
 * Runs a journey with an agent and an endpoint, which are gone afterwards.
 *
 * @param {(page: Page, name: string, receiver: Receiver) => Promise<void>} journey
 * @param {Parameters<typeof visit>[1]} [setting]
 */
function visitWithReceiver(journey, setting) {
  return visit(async (page) => {
    await logIn(page);
    const name = newName('hooked');
    await makeAgent(page, name, 'Hooked Bot');
    const receiver = await startReceiver();
    try {
      await journey(page, name, receiver);
    } finally {
      receiver.stop();
      await deleteAgent(page, name);
    }
  }, setting);
}

/**
 * Adds a webhook through the API and opens the list.
 *
 * @param {Page} page
 * @param {string} name
 * @param {Receiver} receiver
 * @returns {Promise<string>} its secret
 */
async function addWebhook(page, name, { url }) {
  const { secret } = await post(page, '/api/webhooks', { agent: name, url, events: ['*'] });
  await page.goto(`/agents/${name}?tab=webhooks`);
  await page.getByRole('heading', { name: url }).waitFor();
  return secret;
}

/**
 * @param {Page} page
 * @param {string} item
 */
async function choose(page, item) {
  await page.getByRole('button', { name: /^Actions for / }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('a webhook', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`is added, tested and seen to deliver (${screen}, ${colorScheme})`, () =>
        visitWithReceiver(
          async (page, name, receiver) => {
            const look = async (/** @type {string} */ step) => {
              await screenshot(page, `webhook-${step}-${screen}-${colorScheme}`);
              await assertFits(page);
              assert.deepEqual(await axeViolations(page), [], step);
            };
            await page.goto(`/agents/${name}`);
            await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
            await page.getByText('No webhooks yet').waitFor();
            await look('none');

            await page.getByRole('button', { name: 'Add webhook' }).click();
            const dialog = page.getByRole('dialog');
            await dialog.getByRole('textbox', { name: 'URL' }).fill('ftp://example.org/hook');
            await dialog.getByLabel('Channel messages').check();
            await dialog.getByRole('button', { name: 'Add webhook' }).click();
            await dialog.getByRole('alert').getByText('Must be https').waitFor();
            const field = dialog.getByRole('textbox', { name: 'URL' });
            assert.equal(await field.getAttribute('aria-invalid'), 'true');
            await dialog.locator('input:focus[aria-invalid="true"]').waitFor();
            await look('refused');

            await field.fill(receiver.url);
            await dialog.getByRole('button', { name: 'Add webhook' }).click();
            const shown = dialog.getByRole('textbox', { name: 'Signing secret' });
            const secret = await shown.inputValue();
            await look('secret');
            await dialog.getByRole('button', { name: 'Done' }).click();
            await page.getByText('Direct messages, Mentions, Channel messages').waitFor();
            assert.ok(!(await page.content()).includes(secret));

            receiver.answer(200, 'Thank you');
            await page.getByRole('button', { name: 'Send test event' }).click();
            await page.getByText(/^HTTP 200 in \d+ ms, /).waitFor();
            await page.getByText('Thank you').waitFor();
            assert.ok(isSignedBy(await receiver.event('webhook.test'), secret));

            await post(page, '/api/messages', { to: name, body: 'Please look at this.' });
            assert.ok(isSignedBy(await receiver.event('message.received'), secret));
            await page.getByRole('img', { name: 'The only attempt succeeded' }).waitFor();
            await look('list');

            await page.getByRole('link', { name: /^Deliveries to / }).click();
            await page.getByRole('cell', { name: 'Delivered' }).waitFor();
            await look('deliveries');
            await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed');
            await page.getByText('No matching deliveries').waitFor();
            await page.getByRole('button', { name: 'Show all', exact: true }).click();
            await page.getByRole('link', { name: /^message\.received/ }).click();
            await page.getByRole('region', { name: 'Body' }).getByText('Please look at this.').waitFor();
            await page.getByRole('region', { name: 'Headers' }).getByText('webhook-id').waitFor();
            await look('delivery');

            const before = receiver.received.length;
            await page.getByRole('button', { name: 'Send again' }).click();
            await receiver.event('message.received', before);
            await page.getByText('Attempt 2', { exact: true }).waitFor();
          },
          {
            options: { viewport, colorScheme, reducedMotion: 'reduce' },
            expected: /400 .*\/api\/webhooks/,
          },
        ));
    }
  }

  test('is edited; its URL cannot be that of another', () =>
    visitWithReceiver(
      async (page, name, receiver) => {
        const other = `${receiver.url}/other`;
        await post(page, '/api/webhooks', { agent: name, url: other, events: ['message.received'] });
        await page.goto(`/agents/${name}?tab=webhooks`);
        await choose(page, 'Edit…');
        const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
        await dialog.getByLabel('Direct messages').uncheck();
        await dialog.getByRole('button', { name: 'Save changes' }).click();
        await dialog.getByRole('alert').getByText('Select at least one event.').waitFor();
        await dialog.getByRole('radio', { name: 'All events' }).check();

        await post(page, '/api/webhooks', { agent: name, url: receiver.url, events: ['*'] });
        await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
        await dialog.getByRole('button', { name: 'Save changes' }).click();
        await dialog.getByRole('alert').getByText('already').waitFor();
        await dialog.getByRole('textbox', { name: 'URL' }).fill(`${receiver.url}/third`);
        await dialog.getByRole('button', { name: 'Save changes' }).click();
        await page.getByRole('heading', { name: `${receiver.url}/third` }).waitFor();
        await page.getByText('All events').first().waitFor();
      },
      { expected: /409 .*\/api\/webhooks/ },
    ));

  test('signs with both secrets after a rotation', () =>
    visitWithReceiver(async (page, name, receiver) => {
      const old = await addWebhook(page, name, receiver);
      await choose(page, 'Rotate secret…');
      const dialog = page.getByRole('dialog', { name: 'Rotate the secret?' });
      await dialog.getByText('Both secrets are valid for 24 hours').waitFor();
      await dialog.getByRole('button', { name: 'Rotate secret' }).click();
      const fresh = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
      assert.notEqual(fresh, old);
      assert.deepEqual(await axeViolations(page), []);
      await page.getByRole('button', { name: 'Send test event' }).click();
      const received = await receiver.event('webhook.test');
      assert.ok(isSignedBy(received, old) && isSignedBy(received, fresh));
      await page.getByRole('button', { name: 'Done' }).click();
      assert.ok(!(await page.content()).includes(fresh));
    }));

  test('is disabled, enabled, sends what it missed, and is deleted', () =>
    visitWithReceiver(async (page, name, receiver) => {
      await addWebhook(page, name, receiver);
      await choose(page, 'Disable');
      await page.getByText('No events are sent until you enable the webhook.').waitFor();
      await post(page, '/api/messages', { to: name, body: 'Missed.' });
      await page.getByRole('button', { name: /^Enable webhook/ }).click();
      await page.getByText('Enabled', { exact: true }).waitFor();

      await choose(page, 'Resend past events…');
      const recover = page.getByRole('dialog', { name: 'Resend past events' });
      assert.deepEqual(await axeViolations(page), []);
      await recover.getByLabel('Period').selectOption('The last hour');
      await recover.getByRole('button', { name: 'Resend events' }).click();
      // The reader of the log may have been late, and have queued the event itself.
      await page.getByText(/being sent again|No events in this period/).waitFor();
      assert.ok((await receiver.event('message.received')).body.includes('Missed.'));

      await page.getByRole('link', { name: /^Deliveries to / }).click();
      await choose(page, 'Delete…');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
      await page.getByText('No webhooks yet').waitFor();
      assert.ok(!page.url().includes('webhook='));
    }));

  test('that is gone becomes a dead letter, which is retried', () =>
    visitWithReceiver(
      async (page, name, receiver) => {
        await addWebhook(page, name, receiver);
        receiver.answer(410, 'Moved away');
        await post(page, '/api/messages', { to: name, body: 'Anybody there?' });
        await page.getByText('the endpoint responded with 410 Gone').waitFor();
        assert.deepEqual(await axeViolations(page), []);

        await page.goto('/dead-letters?kind=webhook');
        const letter = page.getByRole('article').filter({ hasText: name });
        await letter.getByText('the endpoint answered with the status 410').waitFor();
        await screenshot(page, 'webhook-dead-letter');
        assert.deepEqual(await axeViolations(page), []);
        await letter.getByRole('button', { name: 'Retry' }).click();
        await letter.getByRole('alert').getByText('disabled').waitFor();

        await letter.getByRole('link', { name: 'Open delivery' }).click();
        await page.getByRole('region', { name: 'Response to attempt 1' }).getByText('Moved away').waitFor();
        await screenshot(page, 'webhook-delivery-failed');
        assert.deepEqual(await axeViolations(page), []);
        await page.getByRole('link', { name: 'All deliveries of this webhook' }).click();
        await page.getByRole('button', { name: /^Enable webhook/ }).click();
        await page.getByText('Enabled', { exact: true }).waitFor();

        receiver.answer(204);
        const before = receiver.received.length;
        await page.goto('/dead-letters?kind=webhook');
        await letter.getByRole('button', { name: 'Retry' }).click();
        await letter.getByText(/^retried/).waitFor();
        await receiver.event('message.received', before);
        await letter.getByRole('button', { name: 'Acknowledge' }).click();
        await letter.waitFor({ state: 'detached' });
      },
      { expected: /409 .*\/api\/dead-letters/ },
    ));
});
