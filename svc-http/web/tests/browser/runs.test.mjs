/**
 * Journeys with runs, on the server that SVC_URL names. The agents are shell commands, so the server needs `sh` in its
 * PATH.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFits, DESKTOP, logIn, PHONE, post, useBrowser } from './journeys.mjs';
import { callWith, deleteAgent, makeAgent, newName } from './making-agents.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { visit, screenshot } = useBrowser();

const REPORT = '{"response": "All done.", "usage": {"tokens_in": 1200, "tokens_out": 80, "cost_usd": 0.01}}';
const SUCCEEDS = `echo working; echo '${REPORT}'`;
const FAILS = 'echo "no access to the archive" >&2; exit 3';
const LASTS = 'echo begun; sleep 120';

/**
 * Runs a journey with an agent, which is gone afterwards.
 *
 * @param {(page: Page, name: string) => Promise<void>} journey
 * @param {Parameters<typeof visit>[1]} [setting]
 */
function visitWithAgent(journey, setting) {
  return visit(async (page) => {
    await logIn(page);
    const name = newName('runner');
    await makeAgent(page, name, 'Runner Bot');
    try {
      await journey(page, name);
    } finally {
      await deleteAgent(page, name);
    }
  }, setting);
}

/**
 * @param {Page} page
 * @param {string} name
 * @param {object} data
 */
async function change(page, name, data) {
  const headers = { origin: serverOrigin() };
  const response = await page.request.patch(`/api/agents/${name}`, { data, headers });
  assert.ok(response.ok(), `${response.status()}: ${await response.text()}`);
}

/**
 * Makes the hub run a command when the agent gets a message.
 *
 * @param {Page} page
 * @param {string} name
 * @param {string} script
 */
function react(page, name, script) {
  const harness = { backend: 'subprocess', command: 'sh', args: ['-c', script], timeout_seconds: 300 };
  return change(page, name, { trigger_mode: 'reactive', cooldown_seconds: 0, harness });
}

/**
 * A message by an agent.
 *
 * @param {string} key
 * @param {object} message
 * @returns {Promise<{ id: number }>}
 */
async function say(key, message) {
  const response = await callWith(key, '/api/messages', message);
  assert.ok(response.ok, `${response.status}: ${await response.clone().text()}`);
  return response.json();
}

/**
 * @param {Page} page
 * @param {string} title
 */
function status(page, title) {
  return page.getByRole('status').getByText(title, { exact: true });
}

describe('a run', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`is set up, started and read as a story (${screen}, ${colorScheme})`, () =>
        visitWithAgent(
          async (page, name) => {
            const look = async (/** @type {string} */ step) => {
              await screenshot(page, `run-${step}-${screen}-${colorScheme}`);
              await assertFits(page);
              assert.deepEqual(await axeViolations(page), [], step);
            };
            await page.goto(`/runs?agent=${name}`);
            await page.getByText('No matching runs').waitFor();
            await look('none');

            await page.goto(`/agents/${name}`);
            await page.getByRole('link', { name: 'Triggers', exact: true }).click();
            await page.getByRole('radio', { name: 'Reactive' }).check();
            await page.getByRole('button', { name: 'Save settings' }).click();
            await page.getByText('Settings saved.').waitFor();
            await look('triggers');

            await page.getByRole('link', { name: 'Harness', exact: true }).click();
            await page.getByLabel('Command').fill('sh');
            await page.getByLabel('Arguments').fill(`-c\n${SUCCEEDS}`);
            const template = page.getByLabel('Prompt template');
            await template.fill('{{nonsense}}');
            await page.getByRole('alert').getByText('{{nonsense}} is not known.').waitFor();
            assert.ok(await page.getByRole('button', { name: 'Save harness' }).isDisabled());
            await template.fill('You are {{agent}}. {{messages}} {{request}}');
            const timeout = page.getByLabel('Timeout (seconds)');
            await timeout.fill('5');
            await page.getByRole('button', { name: 'Save harness' }).click();
            await page.getByRole('alert').getByText('Must be 10 to 86400.').waitFor();
            assert.equal(await timeout.getAttribute('aria-invalid'), 'true');
            await look('harness');
            await timeout.fill('60');
            await page.getByRole('button', { name: 'Save harness' }).click();
            await page.getByText('Harness saved.').waitFor();

            await page.getByRole('button', { name: 'Run now…' }).click();
            const dialog = page.getByRole('dialog');
            await dialog.getByLabel('Request').fill('Count the files.');
            const prompt = dialog.getByRole('region', { name: 'Prompt' });
            await prompt.getByText(`You are ${name}.`).waitFor();
            await prompt.getByText('Count the files.').waitFor();
            await dialog.getByText('No messages wait', { exact: true }).waitFor();
            await look('now');
            await dialog.getByRole('button', { name: 'Run now' }).click();

            await page.waitForURL(/\/runs\/\d+$/);
            await status(page, 'Succeeded').waitFor();
            await page
              .getByRole('region', { name: /^Log of run/ })
              .getByText('working')
              .waitFor();
            await page.getByRole('region', { name: 'Response' }).getByText('All done.').waitFor();
            await page.getByText('1,200 in, 80 out').waitFor();
            await page.getByText('$0.01', { exact: true }).waitFor();
            await page.getByText('Prompt', { exact: true }).first().click();
            await page.getByRole('region', { name: 'Prompt' }).getByText('Count the files.').waitFor();
            await look('story');

            await page.goto(`/runs?agent=${name}`);
            await page.getByRole('cell', { name: 'Succeeded' }).waitFor();
            await look('list');
            await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed');
            await page.getByText('No matching runs').waitFor();
          },
          {
            options: { viewport, colorScheme, reducedMotion: 'reduce' },
            expected: /400 .*\/api\/agents\//,
          },
        ));
    }
  }

  test('that fails says what to do, waits on the first page, and is retried', () =>
    visitWithAgent(async (page, name) => {
      await react(page, name, FAILS);
      await page.goto(`/runs?agent=${name}`);
      await page.getByText('No matching runs').waitFor();
      await post(page, '/api/messages', { to: name, body: 'Please look at the archive.' });
      // The list is live.
      await page.getByRole('cell', { name: 'Failed' }).waitFor();

      await page.goto('/');
      const failure = page.getByRole('link', { name: new RegExp(`^Run #\\d+ of @${name} failed`) });
      await failure.waitFor();
      await screenshot(page, 'run-home');
      assert.deepEqual(await axeViolations(page), []);
      await failure.click();
      await page.getByText('The command ended with an error.').waitFor();
      await page.getByText('Please look at the archive.', { exact: true }).waitFor();
      await page.getByRole('list', { name: 'Reactions' }).getByText(`by @${name}`).first().waitFor();
      await page
        .getByRole('region', { name: /^Log of run/ })
        .getByText('no access to the archive')
        .waitFor();
      await screenshot(page, 'run-failed');
      assert.deepEqual(await axeViolations(page), []);

      await react(page, name, SUCCEEDS);
      const failed = page.url();
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.waitForURL((url) => url.href !== failed);
      await page.getByText('Repeats').waitFor();
      await status(page, 'Succeeded').waitFor();
      // The answer is posted as the reply of the agent.
      await page.getByText('First message that').waitFor();
    }));

  test('is followed while it is under way, and cancelled', () =>
    visitWithAgent(async (page, name) => {
      await react(page, name, LASTS);
      const { id } = await post(page, `/api/agents/${name}/run`, {});
      await page.goto(`/runs/${id}`);
      await page
        .getByRole('region', { name: /^Log of run/ })
        .getByText('begun')
        .waitFor();
      await page.getByText('Live: new output is added at the end.').waitFor();
      await screenshot(page, 'run-live');
      assert.deepEqual(await axeViolations(page), []);

      await page.getByRole('button', { name: 'Cancel run…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
      await status(page, 'Cancelled').waitFor();
      await page.getByRole('button', { name: 'Retry' }).waitFor();
    }));

  test('that does not exist is not found', () =>
    visit(
      async (page) => {
        await logIn(page);
        await page.goto('/runs/999999999');
        await page.getByText('Run not found').waitFor();
        assert.deepEqual(await axeViolations(page), []);
      },
      { expected: /404 .*\/api\/runs\// },
    ));

  test('of an agent that is not reactive is refused with the reason', () =>
    visitWithAgent(
      async (page, name) => {
        await page.goto(`/agents/${name}?tab=harness`);
        await page.getByRole('button', { name: 'Run now…' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('The hub runs reactive agents only.').waitFor();
        await dialog.getByText('This agent has no harness yet.').waitFor();
        await dialog.getByRole('button', { name: 'Run now' }).click();
        await dialog.getByRole('alert').getByText('trigger_mode').waitFor();
      },
      { expected: /40[09] .*\/run/ },
    ));
});

describe('an agent within bounds', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    test(`has a budget with a forecast, and a reputation (${screen})`, () =>
      visitWithAgent(
        async (page, name) => {
          await page.goto(`/agents/${name}?tab=triggers`);
          const limit = page.getByLabel('Cost limit ($)');
          await limit.fill('-1');
          await page.getByRole('button', { name: 'Save budget' }).click();
          await page.getByRole('alert').getByText('Must be 0 to').waitFor();
          assert.equal(await limit.getAttribute('aria-invalid'), 'true');
          await limit.fill('20');
          await page.getByRole('button', { name: 'Save budget' }).click();
          await page.getByText('Budget saved.').waitFor();
          await page.getByRole('img', { name: /^\$0\.00 of \$20\.00 used/ }).waitFor();
          await screenshot(page, `budget-${screen}`);
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);

          await page.getByRole('radio', { name: 'Runs', exact: true }).check({ force: true });
          await page.getByText('Nothing used in this period').waitFor();

          await page.goto(`/agents/${name}`);
          await page.getByRole('heading', { name: 'Reputation' }).waitFor();
          await page.getByText('An agent without entries has 0.50.').waitFor();
          await screenshot(page, `reputation-${screen}`);
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);
        },
        { options: { viewport }, expected: /400 .*\/api\/agents\// },
      ));
  }

  test('is quarantined after rejections, told on the first page, and leaves it with one click', () =>
    visit(async (page) => {
      const { username } = await logIn(page);
      const name = newName('runner');
      const key = await makeAgent(page, name, 'Runner Bot');
      try {
        for (const body of ['One', 'Two', 'Three']) {
          const { id } = await say(key, { to: username, body });
          await post(page, `/api/messages/${id}/reactions`, { reaction: 'reject' });
        }
        await page.goto('/');
        await page.getByRole('link', { name: `@${name} is quarantined` }).click();
        await page.getByRole('button', { name: 'Lift quarantine' }).waitFor();
        await page.getByRole('img', { name: /^Score by day, from 0\.50 to 0\.29/ }).waitFor();
        await screenshot(page, 'quarantine');
        assert.deepEqual(await axeViolations(page), []);
        await page.getByRole('button', { name: 'Lift quarantine' }).click();
        await page.getByText(`Quarantine of ${name} lifted.`).waitFor();
        await page.getByRole('button', { name: 'Lift quarantine' }).waitFor({ state: 'detached' });
      } finally {
        await deleteAgent(page, name);
      }
    }));

  test('leaves a loop with one click', () =>
    visit(async (page) => {
      await logIn(page);
      const names = [newName('ping'), newName('pong')];
      const [ping = '', pong = ''] = names;
      try {
        const keys = [await makeAgent(page, ping), await makeAgent(page, pong)];
        await page.goto('/loops');
        await page.getByRole('heading', { name: 'Loops' }).waitFor();
        for (let turn = 0; turn < 6; turn += 1) {
          await say(keys[turn % 2] ?? '', { to: names[(turn + 1) % 2], body: 'Thank you, over to you.' });
        }
        // The list is live.
        const note = page.getByRole('status').filter({ hasText: `@${ping}` });
        await note.getByText('repeated the same words').waitFor();
        await screenshot(page, 'loop-held');
        assert.deepEqual(await axeViolations(page), []);

        await page.goto('/');
        await page.getByRole('link', { name: /^Loop between/ }).waitFor();
        await page.goto(`/agents/${ping}`);
        await page.getByRole('button', { name: 'Lift loop' }).click();
        await page.getByText('Loop lifted.').waitFor();
        await page.getByRole('button', { name: 'Lift loop' }).waitFor({ state: 'detached' });

        await page.goto('/loops');
        await page
          .getByText(/lifted by @/)
          .first()
          .waitFor();
        await screenshot(page, 'loop-lifted');
        assert.deepEqual(await axeViolations(page), []);
      } finally {
        for (const name of names) await deleteAgent(page, name);
      }
    }));
});
