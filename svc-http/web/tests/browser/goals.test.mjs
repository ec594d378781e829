/** Journeys with goals, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFits, DESKTOP, logIn, PHONE, post, useBrowser } from './journeys.mjs';
import { callWith, deleteAgent, makeAgent, newName } from './making-agents.mjs';
import { openSession } from './mcp-client.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { visit, screenshot } = useBrowser();

/**
 * Runs a journey with an agent that coordinates, which is gone afterwards.
 *
 * @param {(page: Page, name: string, key: string) => Promise<void>} journey
 * @param {Parameters<typeof visit>[1]} [setting]
 */
function visitWithPlanner(journey, setting) {
  return visit(async (page) => {
    await logIn(page);
    const name = newName('planner');
    const key = await makeAgent(page, name, 'Planner Bot');
    try {
      await journey(page, name, key);
    } finally {
      await deleteAgent(page, name);
    }
  }, setting);
}

/**
 * Proposes tasks as an agent does that speaks REST.
 *
 * @param {string} key
 * @param {number} goal
 * @param {object[]} tree
 */
async function proposeTree(key, goal, tree) {
  const response = await callWith(key, `/api/goals/${goal}/tasks`, { tree });
  assert.ok(response.ok, `proposing tasks: ${response.status} ${await response.text()}`);
}

/**
 * Waits until the page follows what happens.
 *
 * @param {Page} page
 */
const live = (page) => page.getByTitle('Connected. Everything is up to date.').waitFor();

/**
 * Ends a goal, so that others do not find it open.
 *
 * @param {Page} page
 * @param {number} id
 */
async function cancelGoal(page, id) {
  const response = await page.request.post(`/api/goals/${id}/complete`, {
    data: { status: 'cancelled', summary: 'The journey is over.' },
    headers: { origin: serverOrigin() },
  });
  assert.ok([200, 409].includes(response.status()), `cancelling goal ${id}: ${response.status()}`);
}

/**
 * Makes a goal with tasks through the API.
 *
 * @param {Page} page
 * @param {string} name
 * @param {string} key
 * @param {object[]} tree
 */
async function makeGoal(page, name, key, tree) {
  const title = `Ship ${newName('release')}`;
  const goal = await post(page, '/api/goals', { title, coordinator: name, budget: { usd: 5 } });
  await proposeTree(key, goal.id, tree);
  return /** @type {{ id: number, title: string }} */ (goal);
}

const TREE = [
  {
    title: 'Write the parser',
    description: 'Read the **new** format.',
    acceptance_criteria: '- all examples are read',
    budget_usd: 2,
    billing_code: 'parser',
    children: [{ title: 'List the tokens', verifier: { kind: 'human' }, budget_usd: 1 }],
  },
  { title: 'Write the manual', depends_on: ['List the tokens'] },
];

describe('a goal', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`is created, planned by an agent, approved, verified and completed (${screen}, ${colorScheme})`, () =>
        visitWithPlanner(
          async (page, name, key) => {
            const look = async (/** @type {string} */ step) => {
              await screenshot(page, `goal-${step}-${screen}-${colorScheme}`);
              await assertFits(page);
              assert.deepEqual(await axeViolations(page), [], step);
            };
            const row = (/** @type {RegExp} */ words) => page.getByRole('treeitem', { name: words });
            await page.goto('/goals');
            await page.locator('main :is(.empty, table)').waitFor();
            assert.equal(await page.locator('h1').textContent(), 'Goals');

            await page.getByRole('button', { name: 'New goal', exact: true }).click();
            const dialog = page.getByRole('dialog', { name: 'New goal' });
            const create = dialog.getByRole('button', { name: 'Create goal' });
            await create.click();
            await dialog.getByRole('alert').getByText('Enter a title.').waitFor();
            await dialog.locator('input:focus[aria-invalid="true"]').waitFor();
            await look('refused');
            const title = `Ship ${newName('version')}`;
            await dialog.getByRole('textbox', { name: 'Title' }).fill(title);
            await dialog.getByRole('textbox', { name: 'Description' }).fill('Release it with a **parser**.');
            await dialog.getByRole('combobox', { name: 'Coordinator' }).selectOption(name);
            await dialog.getByLabel('Cost limit ($)').fill('5');
            await dialog.getByLabel('Token limit').fill('100000');
            await create.click();
            await page.waitForURL(/\/goals\/\d+$/);
            const id = Number(new URL(page.url()).pathname.split('/').at(-1));
            await page.getByRole('heading', { level: 1 }).getByText(title).waitFor();
            await page.getByText('No tasks yet', { exact: true }).first().waitFor();
            await page.getByRole('status').getByText('Draft', { exact: true }).waitFor();
            await page.getByText('$0.00 of $5.00').waitFor();
            await look('draft');
            await live(page);

            // The page is live.
            await proposeTree(key, id, TREE);
            await row(/^List the tokens Proposed/).waitFor();
            await row(/^Write the manual Proposed Blocked by 1 task/).waitFor();
            await page.getByRole('status').getByText('Active', { exact: true }).waitFor();
            await look('proposed');

            await page.getByRole('button', { name: 'Approve all 3 proposed tasks' }).click();
            await row(/^List the tokens Approved/).waitFor();
            await page.getByText('for your approval').waitFor({ state: 'detached' });

            const tool = await openSession(key);
            const found = await (await page.request.get(`/api/goals/${id}`)).json();
            const task_id = found.tasks[0].children[0].id;
            const { claim_token } = await tool('claim_goal_task', { goal_id: id, task_id });
            await row(/^List the tokens Claimed/).waitFor();
            await tool('update_goal_task', { task_id, action: 'start', claim_token });
            await row(/^List the tokens In progress/).waitFor();
            await tool('update_goal_task', {
              task_id,
              action: 'spend',
              claim_token,
              usd: 0.85,
              tokens: 1200,
            });
            await row(/^List the tokens In progress .*\$0\.85 of \$1\.00/).waitFor();
            await row(/^Write the parser .*\$0\.85 of \$2\.00/).waitFor();
            const note = 'The tokens are in `tokens.md`.';
            await tool('update_goal_task', { task_id, action: 'submit', claim_token, note });
            await row(/^List the tokens To verify/).waitFor();

            await row(/^List the tokens/).click();
            await page.waitForURL(`**/goals/${id}?task=${task_id}`);
            const panel = page.getByRole(screen === 'phone' ? 'dialog' : 'complementary', {
              name: 'List the tokens',
            });
            await panel.getByRole('region', { name: 'Result' }).getByText('The tokens are in').waitFor();
            await panel.getByText('85 %').waitFor();
            await look('verify');
            await panel.getByRole('textbox', { name: 'Note' }).fill('All of them are there.');
            await panel.getByRole('button', { name: 'Accept result' }).click();
            await panel.getByText('Done', { exact: true }).waitFor();
            await panel.getByRole('button', { name: 'Close task' }).click();
            await panel.waitFor({ state: 'detached' });
            // The row that led there has the focus again, and nothing blocks the manual any more.
            await page.locator(`[data-task="${task_id}"]:focus`).waitFor();
            assert.equal(await row(/^Write the manual .*Blocked/).count(), 0);

            const helper = newName('writer');
            await tool('propose_agent', {
              goal_id: id,
              name: helper,
              purpose: 'Writes the manual',
              instructions: '# Writer\n\nWrite short sentences.',
              tools: ['send_message', 'claim_goal_task'],
              budget_usd: 1,
              autonomy: 'supervised',
            });
            const card = page.getByRole('article', { name: `@${helper}` });
            await card.getByText('Writes the manual').waitFor();
            await card.getByText('$1.00 in total').waitFor();
            await card.getByText('Instructions', { exact: true }).click();
            await card.getByText('Write short sentences.').waitFor();
            await look('agent');
            try {
              await card.getByRole('button', { name: `Approve agent ${helper}` }).click();
              const spawned = page.getByRole('region', { name: 'Agents created for this goal' });
              await spawned.getByRole('link', { name: `@${helper}` }).waitFor();
              await card.waitFor({ state: 'detached' });
            } finally {
              await deleteAgent(page, helper);
            }

            const billing = page.getByRole('region', { name: 'Cost by billing code' });
            await billing.getByRole('row', { name: /^parser .*\$0\.85 100 %/ }).waitFor();
            const timeline = page.getByRole('region', { name: 'Timeline' });
            await timeline.getByText(/accepted the result of “List the tokens”$/).waitFor();

            await page.getByRole('button', { name: 'Complete…', exact: true }).click();
            const end = page.getByRole('dialog', { name: 'Complete this goal?' });
            await end.getByRole('textbox', { name: 'Summary' }).fill('The parser is out.');
            await end.getByRole('button', { name: 'Complete goal' }).click();
            await page.getByRole('status').getByText('Completed', { exact: true }).waitFor();
            await page.getByText('The parser is out.').first().waitFor();
            assert.equal(await page.getByRole('button', { name: 'Edit', exact: true }).count(), 0);
            await look('completed');

            await page.goto('/goals?status=completed');
            await page.getByRole('link', { name: title }).waitFor();
            assert.equal(await page.title().then((text) => text.replace(/^\(\d+\) /, '')), 'Goals · svc');
            await look('list');
          },
          { options: { viewport, colorScheme, reducedMotion: 'reduce' } },
        ));
    }
  }

  test('is planned in a tree that is used without the mouse', () =>
    visitWithPlanner(async (page, name, key) => {
      const { id } = await makeGoal(page, name, key, TREE);
      await page.goto(`/goals/${id}`);
      await live(page);
      const focused = (/** @type {string} */ title) =>
        page.locator('[role=treeitem]:focus').getByText(title, { exact: true }).waitFor();
      await page.getByRole('treeitem', { name: /^Write the parser/ }).focus();
      await page.keyboard.press('ArrowDown');
      await focused('List the tokens');
      await page.keyboard.press('ArrowLeft');
      await focused('Write the parser');
      await page.keyboard.press('ArrowLeft');
      const tokens = page.getByRole('treeitem', { name: /^List the tokens/ });
      await tokens.waitFor({ state: 'detached' });
      await page.keyboard.press('End');
      await focused('Write the manual');

      // Changes by others move neither the focus nor what is folded.
      const { tasks } = await (await page.request.get(`/api/goals/${id}`)).json();
      await post(page, `/api/goals/${id}/tasks/${tasks[1].id}/approve`, {});
      await page.getByRole('treeitem', { name: /^Write the manual Approved/ }).waitFor();
      assert.equal(await tokens.count(), 0);
      await focused('Write the manual');

      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      await tokens.waitFor();
      await page.keyboard.press('ArrowRight');
      await focused('List the tokens');
      await page.keyboard.press('Enter');
      const panel = page.getByRole('complementary', { name: 'List the tokens' });
      await panel.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
      await panel.getByText('Approved', { exact: true }).waitFor();
      await panel.getByRole('button', { name: 'Close task' }).press('Escape');
      await panel.waitFor({ state: 'detached' });
      await focused('List the tokens');
      await cancelGoal(page, id);
    }));

  test('has a link to each task, which opens it', () =>
    visitWithPlanner(async (page, name, key) => {
      const { id } = await makeGoal(page, name, key, TREE);
      const { tasks } = await (await page.request.get(`/api/goals/${id}`)).json();
      await page.goto(`/goals/${id}?task=${tasks[1].id}`);
      await live(page);
      const manual = page.getByRole('complementary', { name: 'Write the manual' });
      await manual.getByRole('region', { name: 'Depends on' }).getByText('List the tokens').click();
      await page.getByRole('complementary', { name: 'List the tokens' }).waitFor();
      assert.equal(new URL(page.url()).search, `?task=${tasks[0].children[0].id}`);
      await cancelGoal(page, id);
      await page.getByRole('status').getByText('Cancelled', { exact: true }).first().waitFor();
    }));

  test('that is missing says so', () =>
    visit(
      async (page) => {
        await logIn(page);
        await page.goto('/goals/999999999');
        await page.getByText('Goal not found').waitFor();
        assert.deepEqual(await axeViolations(page), []);
      },
      { expected: /404 .*\/api\/goals/ },
    ));

  test('waits at home for what only its owner can decide', () =>
    visitWithPlanner(async (page, name, key) => {
      await page.goto('/');
      await live(page);
      const { id, title } = await makeGoal(page, name, key, TREE);
      const waiting = page.getByRole('list', { name: `Approvals: ${title}` });
      await waiting.getByRole('link', { name: 'Task to approve: List the tokens' }).waitFor();
      await waiting.getByRole('button', { name: 'Approve: List the tokens' }).click();
      await page.getByText('Approved: List the tokens').waitFor();
      await waiting
        .getByRole('link', { name: 'Task to approve: List the tokens' })
        .waitFor({ state: 'detached' });

      const tool = await openSession(key);
      await tool('request_secret', { name: 'PACKAGE_TOKEN', reason: 'To publish the package', goal_id: id });
      const provide = waiting.getByRole('button', { name: 'Provide: PACKAGE_TOKEN' });
      await provide.waitFor();
      await screenshot(page, 'home-approvals');
      assert.deepEqual(await axeViolations(page), []);
      await provide.click();
      const dialog = page.getByRole('dialog', { name: 'Provide PACKAGE_TOKEN' });
      const value = dialog.getByLabel('Value');
      assert.equal(await value.getAttribute('type'), 'password');
      await value.fill('not-for-the-screen');
      await dialog.getByRole('button', { name: 'Provide secret' }).click();
      await page.getByText('Provided: PACKAGE_TOKEN').waitFor();
      await provide.waitFor({ state: 'detached' });
      assert.ok(!(await page.content()).includes('not-for-the-screen'));

      await page.getByRole('button', { name: `Approve all 2 tasks of ${title}` }).click();
      await waiting.waitFor({ state: 'detached' });
      await cancelGoal(page, id);
    }));
});
