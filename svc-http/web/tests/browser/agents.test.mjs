/** Journeys of people with their agents, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFits, DESKTOP, logIn, useBrowser } from './journeys.mjs';
import { callWith, connect, deleteAgent, makeAgent, newName } from './making-agents.mjs';
import { axeViolations } from './visit.mjs';

const PHONE = { width: 390, height: 844 };
const SCREENS = /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', PHONE],
]);

/** @typedef {import('playwright-core').Page} Page */

const { visit, screenshot } = useBrowser();

/**
 * Runs a journey with an agent, which is gone afterwards.
 *
 * @param {(page: Page, agent: { name: string, key: string }) => Promise<void>} journey
 * @param {Parameters<typeof visit>[1]} [setting]
 */
function visitWithAgent(journey, setting) {
  return visit(async (page) => {
    await logIn(page);
    const name = newName('bot');
    const key = await makeAgent(page, name, 'Helping Bot');
    try {
      await journey(page, { name, key });
    } finally {
      await deleteAgent(page, name);
    }
  }, setting);
}

/**
 * The server may have agents of other journeys; whoever begins has none but their own.
 *
 * @param {Page} page
 * @param {string} name
 */
async function showOnly(page, name) {
  await page.route(/\/api\/agents\?/, async (route) => {
    const response = await route.fetch();
    const { agents } = await response.json();
    const mine = agents.filter((/** @type {{ name: string }} */ agent) => agent.name === name);
    await route.fulfill({ response, json: { agents: mine, total: mine.length } });
  });
}

/** @param {Page} page */
function connectionTest(page) {
  return page.getByRole('group', { name: 'Connection test' });
}

/** Everything that this browser would still know tomorrow. */
async function remembered(/** @type {Page} */ page) {
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  return stored + page.url() + JSON.stringify(await page.context().cookies());
}

describe('the first agent', () => {
  for (const [screen, viewport] of SCREENS) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`is created, configured and seen to call (${screen}, ${colorScheme})`, () =>
        visit(
          async (page) => {
            await logIn(page);
            const name = newName('first');
            await showOnly(page, name);
            const look = async (/** @type {string} */ step) => {
              await screenshot(page, `first-agent-${step}-${screen}-${colorScheme}`);
              await assertFits(page);
              assert.deepEqual(await axeViolations(page), []);
            };
            try {
              await page.goto('/agents');
              await page.getByRole('heading', { name: 'Connect your first agent' }).waitFor();
              const create = page.getByRole('button', { name: 'Create agent' });
              const field = page.getByRole('textbox', { name: 'Name', exact: true });
              await field.fill('No Good');
              await page.getByText('lowercase letters a–z, digits, - and _ (not met)').waitFor();
              assert.ok(await create.isDisabled());
              await field.fill(name);
              await page.getByText('lowercase letters a–z, digits, - and _ (met)').waitFor();
              await look('create');
              await create.click();

              const key = await page.getByRole('textbox', { name: `Key for ${name}` }).inputValue();
              assert.match(key, /^svca_/);
              const config = page.getByRole('region', { name: /^Add to / });
              await config.getByText(`Bearer ${key}`).waitFor();
              await page.getByText(`Waiting for ${name} to connect`).waitFor();
              await look('connect');

              await connect(key);
              await page.getByRole('heading', { name: 'Your first agent is connected' }).waitFor();
              await look('connected');
              assert.ok(!(await remembered(page)).includes(key));

              await page.reload();
              await page.getByRole('link', { name: `@${name}` }).waitFor();
              assert.equal(await page.getByText('Connect your first agent').count(), 0);
            } finally {
              await deleteAgent(page, name);
            }
          },
          { options: { viewport, colorScheme, reducedMotion: 'reduce' } },
        ));
    }
  }
});

describe('a new agent', () => {
  test('gets its key once, a configuration for each client, and turns green', () =>
    visit(
      async (page) => {
        await logIn(page);
        const [taken, name] = [newName('taken'), newName('fresh')];
        await makeAgent(page, taken);
        try {
          await page.goto('/agents');
          await page.getByRole('button', { name: 'New agent' }).click();
          const dialog = page.getByRole('dialog', { name: 'New agent' });
          await dialog.getByLabel('Display name').fill(name.toUpperCase());
          assert.equal(await dialog.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), name);
          await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(taken);
          await dialog.getByRole('button', { name: 'Create agent' }).click();
          await dialog.getByRole('alert').getByText('This name is taken').waitFor();
          const refused = dialog.getByRole('textbox', { name: 'Name', exact: true });
          assert.equal(await refused.getAttribute('aria-invalid'), 'true');
          assert.deepEqual(await axeViolations(page), []);
          await screenshot(page, 'agent-refused');

          await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
          await dialog.getByLabel('Role').selectOption('Commenter');
          await dialog.getByRole('button', { name: 'Create agent' }).click();
          await page.waitForURL(`**/agents/${name}?tab=connect&archetype=commenter`);
          const key = await page.getByRole('textbox', { name: `Key for ${name}` }).inputValue();

          const config = page.getByRole('region', { name: /^Add to / });
          for (const [client, place, part] of [
            ['Codex', '~/.codex/config.toml', `Authorization = "Bearer ${key}"`],
            ['Gemini CLI', '~/.gemini/settings.json', '"httpUrl"'],
            ['Cursor', '~/.cursor/mcp.json', `"Bearer ${key}"`],
            ['VS Code', '.vscode/mcp.json', '"servers"'],
            ['Other', 'your client', '"mcpServers"'],
          ]) {
            await page.getByRole('radio', { name: client, exact: true }).check({ force: true });
            await page
              .getByText(`Add to ${place === 'your client' ? 'the MCP configuration file' : place}`)
              .first()
              .waitFor();
            await config
              .getByText(part ?? '')
              .first()
              .waitFor();
          }
          await page.getByRole('radio', { name: 'stdio' }).check({ force: true });
          await config.getByText('svc-mcp-stdio').waitFor();
          await page.getByLabel('Include the key in the configuration').uncheck();
          await config.getByText('${SVC_AGENT_KEY}').waitFor();
          await page.getByText(`export SVC_AGENT_KEY='${key}'`).waitFor();

          const saved = page.waitForEvent('download');
          await page.getByRole('button', { name: 'Download mcp.json' }).click();
          assert.equal((await saved).suggestedFilename(), 'mcp.json');

          await page.getByRole('link', { name: 'instruction file' }).click();
          await page.getByText('## Your part: commenter').waitFor();
          await page.goBack();
          // Leaving and coming back does not lose the key; putting it away does.
          assert.equal(await page.getByRole('textbox', { name: `Key for ${name}` }).inputValue(), key);
          await connect(key);
          await connectionTest(page).getByText(`${name} is connected`).waitFor();
          await page.getByRole('button', { name: 'Done' }).click();
          await page.getByText('The key was shown once').waitFor();
          assert.ok(!(await page.content()).includes(key));
        } finally {
          await deleteAgent(page, taken);
          await deleteAgent(page, name);
        }
      },
      { expected: /40[09] .*\/api\/agents\b/ },
    ));

  test('that never called says what to do', () =>
    visitWithAgent(async (page, { name }) => {
      await page.goto(`/agents/${name}?tab=connect`);
      await connectionTest(page).getByText(`Waiting for ${name} to connect`).waitFor();
      await connectionTest(page).getByText('Not connecting?').click();
      await connectionTest(page).getByText('svc-mcp-stdio doctor').waitFor();
      assert.deepEqual(await axeViolations(page), []);
    }));
});

describe('the list', () => {
  test('is filtered by the address and by typing, and follows what happens elsewhere', () =>
    visitWithAgent(async (page, { name }) => {
      await page.goto(`/agents?q=${name}`);
      const rows = page.getByRole('row').filter({ hasText: '@' });
      await rows.getByText(`@${name}`).waitFor();
      assert.equal(await rows.count(), 1);
      await page.getByLabel('Filter agents').fill('nobody is called so');
      await page.getByText('No matching agents').waitFor();
      await page.getByRole('button', { name: 'Show all' }).click();
      await rows.getByText(`@${name}`).waitFor();

      await page.request.patch(`/api/agents/${name}`, {
        data: { display_name: 'Renamed elsewhere', paused: true },
        headers: { origin: new URL(page.url()).origin },
      });
      const row = rows.filter({ hasText: name });
      await row.getByText('Renamed elsewhere').waitFor();
      await row.getByText('Paused').waitFor();
    }));
});

describe('one agent', () => {
  for (const [screen, viewport] of SCREENS) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`every part is accessible and fits (${screen}, ${colorScheme})`, () =>
        visitWithAgent(
          async (page, { name, key }) => {
            await callWith(key, '/api/messages', { to: 'nobody-at-all', body: 'Hello' });
            for (const [tab, settled] of [
              ['', 'Recent activity'],
              ['connect', 'is connected'],
              ['instructions', 'You are'],
              ['settings', 'Danger zone'],
              ['keys', 'No keys yet'],
              ['webhooks', 'No webhooks yet'],
              ['traces', 'validation_failed'],
            ]) {
              await page.goto(`/agents/${name}${tab ? `?tab=${tab}` : ''}`);
              await page
                .getByText(settled ?? '')
                .first()
                .waitFor();
              await page.waitForFunction(() => !document.querySelector('.skeleton'));
              await screenshot(page, `agent-${tab || 'overview'}-${screen}-${colorScheme}`);
              await assertFits(page);
              assert.deepEqual(await axeViolations(page), [], tab);
            }
          },
          { options: { viewport, colorScheme, reducedMotion: 'reduce' } },
        ));
    }
  }

  test('is renamed where its name stands, and paused', () =>
    visitWithAgent(async (page, { name }) => {
      await page.goto(`/agents/${name}`);
      await page.getByRole('button', { name: 'Edit display name' }).click();
      await page.getByLabel('Display name').fill('Chief <b>Reviewer</b>');
      await page.keyboard.press('Enter');
      await page.getByText('Chief <b>Reviewer</b>').first().waitFor();
      const pencil = page.getByRole('button', { name: 'Edit display name' });
      assert.ok(await pencil.evaluate((button) => button === document.activeElement));

      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('the hub does not start it').waitFor();
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      const agent = await (await page.request.get(`/api/agents/${name}`)).json();
      assert.equal(agent.display_name, 'Chief <b>Reviewer</b>');
      assert.equal(agent.paused_at, undefined);
    }));

  test('its settings say at the field what the server refuses, and keep the rest', () =>
    visitWithAgent(
      async (page, { name }) => {
        await page.goto(`/agents/${name}?tab=triggers`);
        await page.getByRole('radio', { name: 'Reactive' }).check();
        const cooldown = page.getByLabel('Cooldown (seconds)');
        await cooldown.fill('99999999');
        await page.getByRole('button', { name: 'Save settings' }).click();
        await page.getByRole('alert').getByText('Must be 0 to 2592000.').waitFor();
        assert.equal(await cooldown.getAttribute('aria-invalid'), 'true');
        await cooldown.fill('30');
        await page.getByRole('button', { name: 'Save settings' }).click();
        await page.getByText('Settings saved.').waitFor();

        await page.goto(`/agents/${name}?tab=harness`);
        await page.getByLabel('Command').fill('build');
        await page.getByRole('button', { name: 'Save harness' }).click();
        await page.getByText('Harness saved.').waitFor();

        await page.goto(`/agents/${name}?tab=instructions`);
        await page.getByLabel('Instructions', { exact: true }).fill('Answer in rhyme.');
        await page.getByRole('button', { name: 'Save instructions' }).click();
        await page.getByRole('region', { name: 'AGENTS.md' }).getByText('Answer in rhyme.').waitFor();

        const agent = await (await page.request.get(`/api/agents/${name}`)).json();
        assert.deepEqual(
          [agent.trigger_mode, agent.cooldown_seconds, agent.harness, agent.agent_md],
          [
            'reactive',
            30,
            { backend: 'subprocess', command: 'build', timeout_seconds: 600, reply: 'auto' },
            'Answer in rhyme.',
          ],
        );
      },
      { expected: /400 .*\/api\/agents\// },
    ));

  test('its keys are made with limits, shown once, and revoked', () =>
    visitWithAgent(async (page, { name, key }) => {
      await page.goto(`/agents/${name}?tab=keys`);
      await page.getByRole('button', { name: 'New key', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: `New key for ${name}` });
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop');
      await dialog.getByRole('radio', { name: 'Read' }).check();
      await dialog.getByText('Channels: all').click();
      await dialog.getByLabel('#general').check();
      assert.deepEqual(await axeViolations(page), []);
      await screenshot(page, 'new-key');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const secret = await page.getByRole('textbox', { name: 'Key “Laptop”' }).inputValue();
      const who = await (await callWith(secret, '/api/whoami')).json();
      assert.equal(who.handle, name);
      assert.deepEqual(who.permissions, ['read']);
      await page.getByText('#general').waitFor();

      await page.getByRole('button', { name: 'Revoke key Laptop' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Revoked keys (1)').waitFor();
      assert.equal((await callWith(secret, '/api/whoami')).status, 401);
      assert.ok(!(await remembered(page)).includes(secret));

      await page.getByRole('button', { name: 'Rotate key' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
      const rotated = page.getByRole('textbox', { name: `Key for ${name}` });
      await rotated.waitFor();
      assert.equal((await callWith(key, '/api/whoami')).status, 401);
      assert.equal((await callWith(await rotated.inputValue(), '/api/whoami')).status, 200);
    }));

  test('is deleted only when its name is typed, and is missing then', () =>
    visitWithAgent(
      async (page, { name, key }) => {
        await page.goto(`/agents/${name}?tab=settings`);
        await page.getByRole('button', { name: `Delete ${name}` }).click();
        const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
        const remove = dialog.getByRole('button', { name: 'Delete', exact: true });
        await dialog.getByLabel(`Type ${name} to confirm`).fill(`${name}x`);
        assert.ok(await remove.isDisabled());
        assert.deepEqual(await axeViolations(page), []);
        await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
        await remove.click();
        await page.waitForURL('**/agents');
        await page.getByText(`${name} deleted.`).waitFor();
        assert.equal((await callWith(key, '/api/whoami')).status, 401);

        await page.goto(`/agents/${name}`);
        await page.getByRole('heading', { name: 'Agent not found' }).waitFor();
        await screenshot(page, 'agent-missing');
        assert.deepEqual(await axeViolations(page), []);
      },
      { expected: /404 .*\/api\/agents\// },
    ));

  test('what is changed in one browser is seen in another', () =>
    visitWithAgent(async (page, { name }) => {
      await page.goto(`/agents/${name}`);
      await page.getByText('Helping Bot').first().waitFor();
      const other = await page.context().newPage();
      await other.goto(`/agents/${name}`);
      await other.getByRole('button', { name: 'Edit display name' }).click();
      await other.getByLabel('Display name').fill('Seen at once');
      await other.keyboard.press('Enter');
      await page.getByText('Seen at once').first().waitFor();
    }));
});
