/** Journeys through the auction of tasks, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeAgent, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, useBrowser } from './journeys.mjs';
import { axeViolations } from './visit.mjs';

const PHONE = { width: 390, height: 844 };
const { visit, screenshot } = useBrowser();

describe('tasks', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`list and task are accessible and fit: ${screen}, ${colorScheme}`, () =>
        visit(
          async (page) => {
            await logIn(page);
            const [poster, bidder] = [
              await makeAgent(page, unique('poster')),
              await makeAgent(page, unique('bidder')),
            ];
            const title = unique('Summarise the reports');
            const body = 'One page, by **cause**.';
            const task = await poster.call('/api/tasks', { title, body, deadline: '2h', budget: 10 });
            await bidder.call(`/api/tasks/${task.id}/bids`, {
              amount: 4,
              note: 'Two hours, with the parser.',
            });
            await page.goto('/tasks');
            await page.getByRole('link', { name: title }).waitFor();
            await assertFits(page);
            assert.deepEqual(await axeViolations(page), []);
            await screenshot(page, `tasks-${screen}-${colorScheme}`);

            await page.getByRole('link', { name: title }).click();
            await page.getByText('Two hours, with the parser.').waitFor();
            await page.getByRole('heading', { name: 'Place a bid' }).waitFor();
            await assertFits(page);
            assert.deepEqual(await axeViolations(page), []);
            await screenshot(page, `task-${screen}-${colorScheme}`);
          },
          { options: { viewport, colorScheme } },
        ));
    }
  }

  test('without tasks, the page says what they are for', () =>
    visit(async (page) => {
      await logIn(page);
      await page.route('**/api/tasks?*', (route) => route.fulfill({ json: { tasks: [], has_more: false } }));
      await page.goto('/tasks');
      await page.getByText('No tasks yet').waitFor();
      assert.deepEqual(await axeViolations(page), []);
      await page.goto('/tasks?status=assigned');
      await page.getByText('No matching tasks').waitFor();
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByText('No tasks yet').waitFor();
    }));

  test('a task is posted with faults at the fields, and followed live until it is completed', () =>
    visit(
      async (page) => {
        await logIn(page);
        const worker = await makeAgent(page, unique('worker'));
        const title = unique('Count the reports');
        await page.goto('/tasks?new');
        const dialog = page.getByRole('dialog', { name: 'Post a task' });
        await dialog.getByRole('button', { name: 'Post task' }).click();
        await dialog.getByText('Enter a title.').waitFor();
        await dialog.getByText('Say what is to be done.').waitFor();
        await dialog.getByLabel('Title').fill(title);
        await dialog.getByLabel('What is to be done').fill('All of them.');
        await dialog.getByLabel('Deadline').fill('soon');
        await dialog.getByLabel('Budget').fill('ten');
        await dialog.getByRole('button', { name: 'Post task' }).click();
        await dialog.getByText('Enter a number, 0 or more.').waitFor();
        await dialog.getByLabel('Budget').fill('10');
        await dialog.getByRole('button', { name: 'Post task' }).click();
        await dialog.getByText(/^Must be a duration/).waitFor();
        await dialog.getByLabel('Deadline').fill('2h');
        await dialog.getByRole('button', { name: 'Post task' }).click();

        await page.waitForURL(/\/tasks\/\d+$/);
        const id = Number(page.url().split('/').at(-1));
        await page.getByText('No bids yet.').waitFor();
        await worker.call(`/api/tasks/${id}/bids`, { amount: 4, note: 'By noon.' });
        await page.getByText('By noon.').waitFor();
        await page.getByRole('button', { name: /^Accept the bid of/ }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
        await page.getByText('Assigned', { exact: true }).waitFor();
        await worker.call(`/api/tasks/${id}/complete`, { summary: 'Twelve reports.' });
        await page.getByRole('heading', { name: 'Result' }).waitFor();
        await page.getByText('Twelve reports.').waitFor();

        await page.goto('/tasks?status=completed&mine=true');
        await page.getByRole('link', { name: title }).waitFor();
      },
      { expected: /400 .*\/api\/tasks/ },
    ));

  test('a person bids, bids again, and cancels a task of their own', () =>
    visit(async (page) => {
      await logIn(page);
      const poster = await makeAgent(page, unique('poster'));
      const task = await poster.call('/api/tasks', { title: unique('Index it'), body: 'Everything.' });
      await page.goto(`/tasks/${task.id}`);
      await page.getByLabel('Amount', { exact: true }).fill('7');
      await page.getByLabel('Note', { exact: true }).fill('Tomorrow.');
      await page.getByRole('button', { name: 'Place bid' }).click();
      await page.getByText('amount 7').waitFor();
      await page.getByRole('heading', { name: 'Change your bid' }).waitFor();
      await page.getByLabel('Amount', { exact: true }).fill('6');
      await page.getByRole('button', { name: 'Replace bid' }).click();
      await page.getByText('amount 6').waitFor();
      assert.equal(await page.getByText('amount 7').count(), 0);

      await page.getByRole('button', { name: 'Cancel task…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel task' });
      await dialog.getByLabel('Reason').fill('Not needed any more.');
      await dialog.getByRole('button', { name: 'Cancel task' }).click();
      await page.getByRole('heading', { name: 'Reason' }).waitFor();
      await page.getByText('Cancelled', { exact: true }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Place bid' }).count(), 0);
    }));

  test('a task that is not there is missing', () =>
    visit(
      async (page) => {
        await logIn(page);
        await page.goto('/tasks/999999999');
        await page.getByRole('heading', { name: 'Task not found' }).waitFor();
      },
      { expected: /404 .*\/api\/tasks/ },
    ));
});
