/** Journeys with cluster jobs, on the server that SVC_URL names. It must have no cluster: every Job fails. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFits, DESKTOP, logIn, PHONE, post, useBrowser } from './journeys.mjs';
import { deleteAgent, makeAgent, newName } from './making-agents.mjs';
import { axeViolations } from './visit.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { visit, screenshot } = useBrowser();
const IMAGE = 'registry.example.org/team/agent:1.2';

/**
 * Runs a journey with an agent, which is gone afterwards.
 *
 * @param {(page: Page, name: string) => Promise<void>} journey
 * @param {Parameters<typeof visit>[1]} [setting]
 */
function visitWithAgent(journey, setting) {
  return visit(async (page) => {
    await logIn(page);
    const name = newName('jobs');
    await makeAgent(page, name, 'Job Bot');
    try {
      await journey(page, name);
    } finally {
      await deleteAgent(page, name);
    }
  }, setting);
}

describe('a handler', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`is added, seen to fail without a cluster, and deleted (${screen}, ${colorScheme})`, () =>
        visitWithAgent(
          async (page, name) => {
            const look = async (/** @type {string} */ step) => {
              await screenshot(page, `cluster-${step}-${screen}-${colorScheme}`);
              await assertFits(page);
              assert.deepEqual(await axeViolations(page), [], step);
            };
            await page.goto(`/agents/${name}`);
            await page.getByRole('link', { name: 'Cluster jobs', exact: true }).click();
            await page.getByText('No handlers yet').waitFor();
            await page.getByText('No cluster configured').waitFor();
            await page.getByText('No Jobs yet').waitFor();
            await look('none');

            await page.getByRole('button', { name: 'Add handler' }).click();
            const dialog = page.getByRole('dialog', { name: 'Add handler' });
            const add = dialog.getByRole('button', { name: 'Add handler' });
            const image = dialog.getByRole('textbox', { name: 'Image' });
            await image.fill('not an image');
            await dialog.getByText('More options').click();
            const memory = dialog.getByRole('textbox', { name: 'Memory' });
            await memory.fill('1Mi');
            const limit = dialog.getByLabel('Time limit (seconds)');
            await limit.fill('5');
            await dialog.getByRole('button', { name: 'Add variable' }).click();
            const variable = dialog.getByRole('textbox', { name: 'Name of variable 1' });
            await variable.fill('SVC_MODEL');
            await dialog.getByRole('textbox', { name: 'Value of variable 1' }).fill('large');
            await dialog.getByText('More options').click();
            await add.click();
            await dialog.getByRole('alert').getByText('Must be the name of an image').waitFor();
            await dialog.getByRole('alert').getByText('Must be a quantity from 16Mi').waitFor();
            await dialog.getByRole('alert').getByText('Must be 60 to 3600.').waitFor();
            await dialog.getByRole('alert').getByText('Must not begin with SVC_').waitFor();
            for (const field of [image, memory, limit, variable]) {
              assert.equal(await field.getAttribute('aria-invalid'), 'true');
            }
            await dialog.locator('input:focus[aria-invalid="true"]').waitFor();
            await look('refused');

            await image.fill(IMAGE);
            await memory.fill('512Mi');
            await dialog.getByRole('textbox', { name: 'CPU' }).fill('500m');
            await limit.fill('90');
            await dialog.getByRole('textbox', { name: 'Namespace' }).fill('agents');
            await dialog.getByRole('textbox', { name: 'Service account' }).fill('runner');
            await variable.fill('MODEL');
            await add.click();
            const card = page.getByRole('article', { name: IMAGE });
            await card.getByText('Direct messages, Mentions').waitFor();
            await card.getByText('512Mi memory, 500m CPU, 90 s time limit').waitFor();
            for (const text of ['agents', 'runner', 'MODEL=large']) {
              await card.getByText(text, { exact: true }).waitFor();
            }
            await look('list');

            await post(page, '/api/messages', { to: name, body: 'Please look at this.' });
            // The list is live.
            await page.getByRole('cell', { name: 'Failed' }).getByText('No cluster').waitFor();
            await look('jobs');

            await page.getByRole('link', { name: /^message\.received/ }).click();
            await page.waitForURL(/\/runs\/\d+$/);
            await page.getByText('There is no Kubernetes cluster to run it on').first().waitFor();
            await page.getByText('Handles the event').waitFor();
            await page.locator('summary').filter({ hasText: 'Event' }).click();
            const event = page.getByRole('region', { name: 'Event' });
            await event.getByText('"body": "Please look at this."').waitFor();
            await look('story');

            await page.goto(`/runs?agent=${name}`);
            await page.getByRole('cell', { name: 'Failed' }).getByText('No cluster').waitFor();
            await look('runs');

            await page.goto(`/agents/${name}?tab=cluster`);
            await page.getByRole('button', { name: `Delete handler ${IMAGE}` }).click();
            await page.getByRole('dialog').getByRole('button', { name: 'Delete handler' }).click();
            await page.getByText('No handlers yet').waitFor();
            // Its Jobs stay.
            await page.getByRole('link', { name: /^message\.received/ }).waitFor();
          },
          {
            options: { viewport, colorScheme, reducedMotion: 'reduce' },
            expected: /400 .*\/api\/k8s\/handlers/,
          },
        ));
    }
  }

  test('is filled in without the mouse; what is missing is said', () =>
    visitWithAgent(async (page, name) => {
      await page.goto(`/agents/${name}?tab=cluster`);
      await page.getByRole('button', { name: 'Add handler' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Add handler' });
      await dialog.getByRole('textbox', { name: 'Image' }).fill(IMAGE);
      await dialog.getByText('More options').press('Enter');
      const another = dialog.getByRole('button', { name: 'Add variable' });
      await another.press('Enter');
      await page.keyboard.type('MODEL');
      await another.press('Enter');
      await page.keyboard.type('MODEL');
      await page.keyboard.press('Enter');
      await dialog.getByRole('alert').getByText('MODEL is there twice.').waitFor();
      await dialog.getByRole('button', { name: 'Remove variable 2' }).press('Enter');
      await dialog.getByLabel('Direct messages').uncheck();
      await dialog.getByLabel('Mentions').uncheck();
      await dialog.getByRole('textbox', { name: 'Image' }).press('Enter');
      await dialog.getByRole('alert').getByText('Select at least one event.').waitFor();
      await dialog.getByRole('radio', { name: 'All events' }).check();
      await dialog.getByRole('textbox', { name: 'Image' }).press('Enter');
      // The button that opened the dialog is gone.
      await page.locator('h3:focus').getByText(IMAGE).waitFor();
    }));

  test('is one of ten at most', () =>
    visitWithAgent(async (page, name) => {
      for (let count = 1; count <= 10; count += 1) {
        await post(page, '/api/k8s/handlers', { agent: name, image: `agent:${count}`, events: ['*'] });
      }
      await page.goto(`/agents/${name}?tab=cluster`);
      await page.getByText('An agent can have 10 handlers.').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Add handler' }).isDisabled());
      await screenshot(page, 'cluster-full');
      assert.deepEqual(await axeViolations(page), []);
      await page.getByRole('button', { name: 'Delete handler agent:10' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete handler' }).click();
      await page.getByText('An agent can have 10 handlers.').waitFor({ state: 'detached' });
      assert.ok(await page.getByRole('button', { name: 'Add handler' }).isEnabled());
    }));
});

test('the harness of an agent can be a Job in a cluster', () =>
  visitWithAgent(async (page, name) => {
    await page.goto(`/agents/${name}?tab=harness`);
    await page.getByRole('combobox', { name: 'Backend' }).selectOption('Kubernetes: a job in a cluster');
    await page.getByRole('textbox', { name: 'Image' }).fill(IMAGE);
    await page.getByRole('textbox', { name: 'Command' }).fill('run');
    await page.getByLabel('Arguments').fill('--once');
    await page.getByLabel('Memory (MiB)').fill('512');
    await page.getByLabel('Timeout (seconds)').fill('90');
    await page.getByRole('button', { name: 'Save harness' }).click();
    await page.getByText('Harness saved.').waitFor();
    await page.reload();
    const image = page.getByRole('textbox', { name: 'Image' });
    await image.waitFor();
    assert.equal(await image.inputValue(), IMAGE);
    await screenshot(page, 'cluster-harness');
    assert.deepEqual(await axeViolations(page), []);
  }));
