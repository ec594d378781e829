/** Journeys through the page for administrators about the state of the hub, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFits, DESKTOP, logIn, PHONE, useBrowser } from './journeys.mjs';
import { axeViolations } from './visit.mjs';

const { visit, screenshot } = useBrowser();
const ADDRESS = '/admin/health';
const API = '/api/admin/health';
const BACKUPS = '/api/admin/backups';
const AGO = (/** @type {number} */ seconds) => new Date(Date.now() - seconds * 1_000).toISOString();

const DAYS = (/** @type {number} */ days) => new Date(Date.now() + days * 86_400_000).toISOString();

/** A disk of 100 GiB that fills by 2 GiB a day, once a quarter of a day. */
const DISK = {
  total_bytes: 100 * 2 ** 30,
  growth_per_day: 2 * 2 ** 30,
  store_growth_per_day: 2 ** 30,
  full_at: DAYS(9.5),
  samples: Array.from({ length: 41 }, (_, index) => ({
    taken_at: DAYS((index - 40) / 4),
    free_bytes: (20.3 - (index - 40) / 2) * 2 ** 30,
    total_bytes: 100 * 2 ** 30,
    store_bytes: 3 * 2 ** 30,
    file_bytes: 0,
  })),
};

/** A hub in the middle of an upgrade, with a disk that is almost full. */
const TROUBLED = {
  state: 'problem',
  version: '0.10.0',
  engine: 'postgres',
  schema: 27,
  store_bytes: 3 * 2 ** 30,
  free_disk_bytes: 300 * 2 ** 20,
  disk: DISK,
  findings: [
    { check: 'store', state: 'ok', summary: 'postgres answers reads and writes; it has 3.0 GiB.' },
    {
      check: 'nodes',
      state: 'warning',
      summary: 'Processes of several versions serve this hub: 0.10.0, 0.9.0.',
      advice: 'Finish the upgrade: replace the processes of the older version.',
    },
    {
      check: 'disk',
      state: 'problem',
      summary: '300 MiB are free on the disk of the data directory.',
      advice: 'Free some space now. `svc-admin db vacuum` needs as much free space as the store has.',
    },
    { check: 'clock', state: 'ok', summary: 'The clock agrees with the store.' },
  ],
  nodes: [
    {
      id: 'b7d7c1f2a93e4d15',
      version: '0.9.0',
      schema: 26,
      files: 's3://files/hub',
      started_at: AGO(90_000),
      seen_at: AGO(8),
      is_this: false,
      leases: [],
    },
    {
      id: '0f61d5a4c8b24e7a',
      version: '0.10.0',
      schema: 27,
      files: 's3://files/hub',
      started_at: AGO(300),
      seen_at: AGO(3),
      is_this: true,
      leases: ['event_retention', 'webhook_deliveries'],
    },
  ],
  workers: [
    { name: 'event_retention', state: 'failing', last_run_at: AGO(60), last_error: 'disk full', failures: 4 },
    { name: 'webhook_deliveries', state: 'running', last_run_at: AGO(2), failures: 0 },
  ],
  queues: [{ queue: 'webhooks', pending: 1_234, oldest_seconds: 400 }],
  certificates: [
    { endpoint: 'old.example.org:443', used_by: 'webhook 7 of scout', ends_at: DAYS(-2) },
    { endpoint: 'hooks.example.org:443', used_by: 'webhook 8 of scout', ends_at: DAYS(9.5) },
    { endpoint: 'hub.example.org:443', used_by: 'the address of this hub', error: 'No connection was made.' },
  ],
};

const SOUND = {
  ...TROUBLED,
  state: 'ok',
  engine: 'sqlite',
  free_disk_bytes: undefined,
  disk: { samples: [] },
  findings: [
    { check: 'store', state: 'ok', summary: 'sqlite answers reads and writes; it has 3.0 GiB.' },
    { check: 'queues', state: 'ok', summary: 'Nothing has waited for long.' },
  ],
  nodes: [{ id: '0f61d5a4c8b24e7a', version: '0.10.0', schema: 27, is_this: true, leases: [] }],
  workers: [],
  queues: [],
  certificates: [],
};

/**
 * Lets the hub answer with a report.
 * @param {import('playwright-core').Page} page
 * @param {object} report
 */
async function answerWith(page, report) {
  await page.unroute(API);
  await page.route(API, (route) => route.fulfill({ json: report }));
}

/** @param {import('playwright-core').Page} page */
const overall = (page) => page.getByRole('main').getByRole('status');
/** @param {import('playwright-core').Page} page */
const entry = (page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Health', exact: true });

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const options = { viewport, colorScheme };

    test(`what is wrong stands first, with what to do about it (${screen}, ${colorScheme})`, () =>
      visit(
        async (page) => {
          await logIn(page);
          await answerWith(page, TROUBLED);
          await page.goto(ADDRESS);
          await overall(page).getByText('1 problem', { exact: true }).waitFor();
          await overall(page).getByText('There is also 1 thing to look at.').waitFor();
          assert.equal(await page.locator('h1').first().textContent(), 'Health');

          const urgent = page.getByRole('list', { name: 'Problems and things to look at' });
          assert.deepEqual(await urgent.getByRole('heading').allTextContents(), ['Free space', 'Nodes']);
          await urgent.getByText('300 MiB are free').waitFor();
          await urgent.getByText('What to do:').first().waitFor();
          assert.equal(await urgent.locator('code').textContent(), 'svc-admin db vacuum');
          const fine = page.getByRole('list', { name: 'In order' });
          await fine.getByText('The clock agrees with the store.').waitFor();
          assert.equal(await fine.getByRole('listitem').count(), 2);

          for (const figure of ['PostgreSQL', '3 GiB', '300 MiB', '0.10.0'])
            await page.locator('dl').getByText(figure, { exact: true }).waitFor();
          const nodes = page.getByRole('region', { name: 'Nodes' }).getByRole('row');
          await nodes.filter({ hasText: 'b7d7c1f2a93e4d15' }).getByText('Older version').waitFor();
          const here = nodes.filter({ hasText: 'This node' });
          assert.equal(await here.count(), 1);
          assert.equal(await here.getByText('Older version').count(), 0);
          await here.getByText('2 workers run here').click();
          await here.getByText('Event retention, Webhook deliveries').waitFor();
          const workers = page.getByRole('region', { name: 'Background workers' });
          await workers.getByRole('row').filter({ hasText: 'disk full' }).getByText('Failing').waitFor();
          const queue = page.getByRole('region', { name: 'Queues' }).getByRole('row', { name: /Webhooks/ });
          await queue.getByText('1,234').waitFor();
          await queue.getByText('6 minutes').waitFor();
          const disk = page.getByRole('region', { name: 'Disk' });
          await disk.getByText(/^Full in about 9 days \(.*\) at 2 GiB a day\. The store grows/).waitFor();
          await disk.getByRole('img', { name: /^Use of the disk from / }).waitFor();
          const certificates = page.getByRole('region', { name: 'Certificates' }).getByRole('row');
          await certificates.filter({ hasText: 'old.example.org' }).getByText('Ended').waitFor();
          await certificates.filter({ hasText: 'hooks.example.org' }).getByText('Ends soon').waitFor();
          await certificates.filter({ hasText: 'hub.example.org' }).getByText('not seen yet').waitFor();

          await page.evaluate(() => scrollTo(0, 0));
          await screenshot(page, `health-problem-${screen}-${colorScheme}`);
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);
        },
        { options },
      ));

    test(`a sound hub says so in short (${screen}, ${colorScheme})`, () =>
      visit(
        async (page) => {
          await logIn(page);
          await answerWith(page, SOUND);
          await page.goto(ADDRESS);
          await overall(page).getByText('Everything works').waitFor();
          await page.getByText('Nothing waits in any queue.').waitFor();
          await page.getByText('When it will be full can be told after').waitFor();
          assert.equal(await page.getByRole('region', { name: 'Certificates' }).count(), 0);
          await page.getByText('The hub reports no background workers.').waitFor();
          await page.locator('dl').getByText('Unknown', { exact: true }).waitFor();
          await screenshot(page, `health-ok-${screen}-${colorScheme}`);
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);
        },
        { options },
      ));
  }
}

describe('health', () => {
  test('backups are listed with their schedule, and failures with their reason', () =>
    visit(async (page) => {
      const place = '/backups/svc';
      const made = { started_at: AGO(7_200), ended_at: AGO(7_000), rows: 1_234, files: 1, to: place };
      await logIn(page);
      await answerWith(page, SOUND);
      await page.route(BACKUPS, (route) =>
        route.fulfill({
          json: {
            schedule: { every_seconds: 86_400, keep: 7, to: place, next_at: AGO(-3_600) },
            backups: [
              { ...made, rows: 0, files: 0, error: 'There is no room in /backups/svc.' },
              { ...made, name: 'svc-0f61d5a4-20261115T020000000Z.tar.zst', size: 3 * 2 ** 20 },
            ],
          },
        }),
      );
      await page.goto(ADDRESS);
      const backups = page.getByRole('region', { name: 'Backups' });
      await backups.getByText('every day').waitFor();
      await backups.getByText('the newest 7').waitFor();
      const rows = backups.getByRole('row');
      await rows.filter({ hasText: 'Failed' }).getByText('There is no room in /backups/svc.').waitFor();
      await rows.filter({ hasText: 'Kept' }).getByText('1,234 rows, 1 file').waitFor();
      await assertFits(page);
      assert.deepEqual(await axeViolations(page), []);

      await page.unroute(BACKUPS);
      await page.route(BACKUPS, (route) => route.fulfill({ json: { backups: [] } }));
      await page.goto(ADDRESS);
      await backups.getByText('No backups are made by themselves.').waitFor();
      await backups.getByText('None was made yet.').waitFor();
    }));

  test('the hub itself is examined, and its own node is listed', () =>
    visit(async (page) => {
      await logIn(page);
      await page.goto('/');
      await entry(page).click();
      await overall(page).locator('strong').waitFor();
      assert.equal(new URL(page.url()).pathname, ADDRESS);
      assert.match(await page.title(), /Health · svc$/);
      await page
        .getByRole('region', { name: 'Findings' })
        .getByText(/answers reads and writes/)
        .waitFor();
      await page.getByRole('region', { name: 'Nodes' }).getByText('This node').waitFor();
      assert.deepEqual(await axeViolations(page), []);
    }));

  test('it is checked again every 15 seconds, by the button and by the keyboard', () =>
    visit(async (page) => {
      await page.clock.install();
      await logIn(page);
      await answerWith(page, TROUBLED);
      await page.goto(ADDRESS);
      await overall(page).getByText('1 problem', { exact: true }).waitFor();

      await answerWith(page, SOUND);
      await page.clock.fastForward(16_000);
      await overall(page).getByText('Everything works').waitFor();

      await answerWith(page, TROUBLED);
      await page.getByRole('button', { name: 'Check again' }).click();
      await overall(page).getByText('1 problem', { exact: true }).waitFor();
      await page.getByText('Checked: 1 problem').waitFor({ state: 'attached' });

      await answerWith(page, SOUND);
      await page.keyboard.press('r');
      await overall(page).getByText('Everything works').waitFor();
    }));

  test('the palette finds it, also by what is there', () =>
    visit(async (page) => {
      await logIn(page);
      await answerWith(page, SOUND);
      await page.goto('/hub');
      await entry(page).waitFor();
      await page.keyboard.press('ControlOrMeta+k');
      const palette = page.getByRole('dialog', { name: 'Command palette' });
      await palette.getByRole('combobox').fill('doctor');
      await palette.getByRole('option', { name: /^Health/ }).waitFor();
      await palette.getByRole('combobox').fill('health');
      await page.keyboard.press('Enter');
      await overall(page).getByText('Everything works').waitFor();
    }));

  test('a hub that is lost is told, and what was known stays', () =>
    visit(
      async (page) => {
        await page.clock.install();
        await logIn(page);
        await page.route(API, (route) => route.abort());
        await page.goto(ADDRESS);
        const failure = page.getByRole('main').getByRole('alert');
        await failure.getByText('The server is not responding.').waitFor();
        await screenshot(page, 'health-failed');
        assert.deepEqual(await axeViolations(page), []);

        await answerWith(page, SOUND);
        await failure.getByRole('button', { name: 'Try again' }).click();
        await overall(page).getByText('Everything works').waitFor();
        assert.equal(await failure.count(), 0);

        await page.unroute(API);
        await page.route(API, (route) => route.abort());
        await page.clock.fastForward(16_000);
        await failure.getByText('The server is not responding.').waitFor();
        await overall(page).getByText('Everything works').waitFor();
      },
      { expected: /ERR_FAILED.*\/api\/admin\/health/ },
    ));

  test('the shape is shown while the first answer is awaited', () =>
    visit(async (page) => {
      /** @type {() => void} */
      let go = () => undefined;
      const asked = new Promise((resolve) => (go = () => resolve(undefined)));
      await page.route(API, async (route) => {
        await asked;
        await route.fulfill({ json: SOUND });
      });
      await logIn(page);
      await page.goto(ADDRESS);
      await page.getByText('Loading health').waitFor();
      assert.deepEqual(await axeViolations(page), []);
      go();
      await overall(page).getByText('Everything works').waitFor();
    }));

  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    test(`somebody else is refused, and is not led there (${screen})`, () =>
      visit(
        async (page) => {
          await logIn(page);
          // The page is tested here; that the hub refuses the request is tested with the routes.
          await page.route('/auth/me', async (route) => {
            const response = await route.fetch();
            await route.fulfill({ response, json: { ...(await response.json()), role: 'user' } });
          });
          await page.route(API, (route) =>
            route.fulfill({
              status: 403,
              contentType: 'application/problem+json',
              json: { status: 403, code: 'admin_required', detail: 'This needs an admin.' },
            }),
          );
          await page.goto(ADDRESS);
          await page.getByText('Only administrators can see this page').waitFor();
          assert.equal(await page.getByRole('button', { name: 'Check again' }).count(), 0);
          await screenshot(page, `health-refused-${screen}`);
          await assertFits(page);
          assert.deepEqual(await axeViolations(page), []);

          await page.getByRole('main').getByRole('link', { name: 'Hub status' }).click();
          await overall(page).getByText('Ready').waitFor();
          if (screen === 'phone') await page.getByRole('button', { name: 'Open navigation' }).click();
          const main = page.getByRole('navigation', { name: 'Main' });
          await main.getByRole('link', { name: 'Hub status' }).waitFor();
          assert.equal(await entry(page).count(), 0);
        },
        { options: { viewport }, expected: /403 .*\/api\/admin\/health/ },
      ));
  }
});
