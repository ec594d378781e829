/** Journeys through the pages about the hub itself, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, useBrowser } from './journeys.mjs';
import { axeViolations } from './visit.mjs';

const PHONE = { width: 390, height: 844 };
const { visit, screenshot } = useBrowser();

const SEEN = new Date().toISOString();
const MACHINES = {
  registry: {
    audience: 'svc-brain',
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    source: '/etc/svc/machines.json',
    loaded_at: SEEN,
    principals: 2,
    keys: 3,
  },
  problem: {
    tried_at: SEEN,
    code: 'registry_invalid',
    message: 'The document has a fault.',
    faults: [{ pointer: '/principals/1/keys/0', code: 'weak_key', message: 'is not a usable key' }],
  },
  principals: [
    {
      principal_id: 'svc:sense:door-1',
      enabled: true,
      registered: true,
      active_keys: 1,
      revoked_keys: 1,
      scopes: ['events:ingest', 'runtime-status:write'],
      status: {
        state: 'running',
        message: 'All sensors answer.',
        heartbeat_seconds: 30,
        since: SEEN,
        seen_at: SEEN,
        stale_at: SEEN,
        stale: true,
        beats: 4,
        details: { sensors: 4 },
      },
      events: 12,
      last_event_at: SEEN,
      sources: [{ source: 'front-door', version: 3, created_at: SEEN }],
    },
  ],
};

const PAGES = [
  { name: 'home', address: '/', heading: 'Home', settled: 'figure[aria-label^="Messages"] canvas' },
  { name: 'mentions', address: '/mentions', heading: 'Mentions', settled: 'main li [data-item]' },
  {
    name: 'mentions-unread',
    address: '/mentions?view=unread',
    heading: 'Mentions',
    settled: 'main :is(.empty, [data-item])',
  },
  { name: 'hub', address: '/hub', heading: 'Hub status', settled: 'main [role=status] strong' },
  { name: 'search', address: '/search?q=archive', heading: 'Search', settled: 'main ol li mark' },
  { name: 'search-empty', address: '/search', heading: 'Search', settled: '#syntax' },
  {
    name: 'analytics',
    address: '/analytics',
    heading: 'Analytics',
    settled: 'figure[aria-label^="Messages"] canvas',
  },
  { name: 'dead-letters', address: '/dead-letters', heading: 'Dead letters', settled: 'main article' },
  {
    name: 'dead-letters-none',
    address: '/dead-letters?kind=webhook',
    heading: 'Dead letters',
    settled: 'main .empty',
  },
  { name: 'saved', address: '/saved', heading: 'Saved', settled: 'main :is(.empty, article)' },
  { name: 'scheduled', address: '/scheduled', heading: 'Scheduled', settled: 'main :is(.empty, article)' },
  { name: 'runs', address: '/runs', heading: 'Runs', settled: 'main :is(.empty, table)' },
  { name: 'goals', address: '/goals', heading: 'Goals', settled: 'main :is(.empty, table)' },
  { name: 'tasks', address: '/tasks', heading: 'Tasks', settled: 'main :is(.empty, table)' },
  { name: 'loops', address: '/loops', heading: 'Loops', settled: 'main :is(.empty, section)' },
  { name: 'machines', address: '/machines', heading: 'Machines', settled: 'main article' },
  { name: 'directory', address: '/people', heading: 'Directory', settled: 'main li .card' },
  {
    name: 'directory-agents',
    address: '/people?show=agents',
    heading: 'Directory',
    settled: 'main li .card',
  },
  {
    name: 'directory-none',
    address: '/people?q=nobody-at-all',
    heading: 'Directory',
    settled: 'main .empty',
  },
  { name: 'skills', address: '/skills', heading: 'Skills', settled: 'main article :is(pre, .markdown)' },
];

describe('pages', () => {
  const reason = unique('The archive is locked');

  before(() =>
    visit(async (page) => {
      const { username } = await logIn(page);
      const [worker, helper] = [
        await makeAgent(page, unique('worker')),
        await makeAgent(page, unique('helper')),
      ];
      const channel = unique('plans');
      await makeChannel(page, channel, { members: [worker.name, helper.name], workflow: true });
      await worker.say({ channel, body: 'Proposal: put the **archive** on its own disk' });
      await helper.say({ channel, body: `@${username} the archive grows by 2 % a day` });
      await helper.say({ to: username, body: 'The report is ready' });
      for (const task of ['Index the archive', 'Count the archive'])
        await helper.say({ to: worker.name, body: task });
      await worker.giveUp(reason);
    }),
  );

  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      for (const { name, address, heading, settled } of PAGES) {
        test(`${address} is accessible and fits: ${screen}, ${colorScheme}`, () =>
          visit(
            async (page) => {
              await logIn(page);
              await page.route('/api/machines', (route) => route.fulfill({ json: MACHINES }));
              await page.goto(address);
              await page.locator(settled).first().waitFor();
              assert.equal(await page.locator('h1').first().textContent(), heading);
              await screenshot(page, `${name}-${screen}-${colorScheme}`);
              await assertFits(page);
              assert.deepEqual(await axeViolations(page), []);
            },
            { options: { viewport, colorScheme } },
          ));
      }
    }
  }

  test('a dead letter is tried again, or acknowledged and found among all', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/dead-letters');
      const letters = page.locator('article').filter({ hasText: reason });
      await letters.nth(1).waitFor();
      const index = letters.filter({ hasText: 'Index the archive' });
      await index.getByRole('button', { name: 'Retry' }).click();
      await index.getByText(/^retried/).waitFor();

      const count = letters.filter({ hasText: 'Count the archive' });
      await count.getByRole('button', { name: 'Acknowledge' }).click();
      await count.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'All', exact: false }).filter({ hasText: 'All' }).first().click();
      await count.getByText(/^acknowledged/).waitFor();
    }));

  test('activity can be taken along as a table', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/analytics?span=30d');
      await page.getByRole('figure', { name: 'Messages in the last 30 days' }).waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV' }).click(),
      ]);
      assert.equal(download.suggestedFilename(), 'activity-30d.csv');
    }));

  test('machines that fall silent, and a registry with faults, are told', () =>
    visit(async (page) => {
      await logIn(page);
      await page.route('/api/machines', (route) => route.fulfill({ json: MACHINES }));
      await page.goto('/machines');
      await page.getByText('Silent', { exact: true }).waitFor();
      await page.getByText('/principals/1/keys/0').waitFor();

      await page.route('/api/machines', (route) => route.fulfill({ json: { principals: [] } }));
      await page.reload();
      await page.getByText('svc-admin machines load machines.json').waitFor();
      await screenshot(page, 'machines-none');
      assert.deepEqual(await axeViolations(page), []);
    }));

  test('a skill is read and downloaded', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/skills');
      await page
        .getByRole('navigation', { name: 'Skills' })
        .getByRole('link', { name: 'task-auction' })
        .click();
      await page.getByRole('heading', { name: 'task-auction' }).waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download' }).click(),
      ]);
      assert.equal(download.suggestedFilename(), 'SKILL.md');
    }));

  test('the hub says how it is', () =>
    visit(
      async (page) => {
        await logIn(page);
        await page.goto('/hub');
        await page.getByRole('status').getByText('Ready').waitFor();
        await page.getByText(/^Version \d/).waitFor();
        const worker = { name: 'event_retention', state: 'failing', last_error: 'disk full', failures: 2 };
        const store = { engine: 'sqlite', ok: true, error: null };
        const json = { status: 'degraded', store, workers: [worker] };
        await page.route('/readyz', (route) => route.fulfill({ status: 503, json }));
        await page.reload();
        await page.getByText('Event retention failed 2 times in a row: disk full.').waitFor();
      },
      { expected: /503 .*\/readyz/ },
    ));
});
