/**
 * Journeys with notifications, on the server that SVC_URL names. It must accept push services on this machine without
 * TLS: SVC_ALLOW_HTTP_WEBHOOKS=true, SVC_ALLOW_PRIVATE_NETWORKS=127.0.0.0/8.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { assertFits, credentials, DESKTOP, logIn, PHONE, post, useBrowser } from './journeys.mjs';
import { deleteAgent } from './making-agents.mjs';
import { click, deliver, notifications, providePush, shown, turn } from './push-browser.mjs';
import { startPushService } from './push-service.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {Awaited<ReturnType<typeof startPushService>>} PushService */
/** @typedef {Awaited<ReturnType<typeof makeAgent>>} Agent */

const me = credentials().username;
const { visit, screenshot } = useBrowser();
const INSTALLED = {
  viewport: DESKTOP,
  serviceWorkers: /** @type {const} */ ('allow'),
  permissions: ['notifications'],
};
/** For as long as the server believes that tabs of earlier journeys are on screen, and some more. */
const UNSEEN_MILLISECONDS = 75_000;
const TRY_MILLISECONDS = 2_000;

/**
 * Runs a journey with a push service and an agent, both gone afterwards.
 *
 * @param {(page: Page, service: PushService, agent: Agent) => Promise<void>} journey
 * @param {{ options?: import('playwright-core').BrowserContextOptions, expected?: RegExp }} [setting]
 */
function visitWithPush(journey, { options = INSTALLED, expected } = {}) {
  return visit(
    async (page) => {
      const service = await startPushService();
      await providePush(page, service.subscribe());
      await logIn(page);
      await removeDevices(page);
      const agent = await makeAgent(page, unique('caller'));
      try {
        await journey(page, service, agent);
      } finally {
        // A tab that is left this way tells the server that nobody looks at it any more.
        await page.goto('/healthz');
        service.stop();
        await removeDevices(page);
        await deleteAgent(page, agent.name);
      }
    },
    { options, ...(expected ? { expected } : {}) },
  );
}

/** @param {Page} page */
async function removeDevices(page) {
  const { items } = await (await page.request.get('/api/push/subscriptions')).json();
  for (const { id } of items) {
    await page.request.delete(`/api/push/subscriptions/${id}`, { headers: { origin: serverOrigin() } });
  }
}

/** @param {Page} page */
async function markAllRead(page) {
  const places = await (await page.request.get('/api/notifications/unread')).json();
  for (const { kind, name, unread, last_message_id } of places) {
    if (unread === 0) continue;
    const marked = await page.request.post('/api/notifications/mark-read', {
      data: { kind, name, last_message_id },
      headers: { origin: serverOrigin() },
    });
    assert.ok(marked.ok(), `marking ${name}: ${marked.status()}`);
  }
}

/** @param {Page} page */
const thisDevice = (page) => page.getByRole('switch', { name: 'Notifications on this device' });

/**
 * Turns notifications on in the settings.
 *
 * @param {Page} page
 */
async function turnOn(page) {
  await page.goto('/settings?tab=notifications');
  await thisDevice(page).click();
  await page.getByText('This device now gets notifications.').waitFor();
  assert.ok(await thisDevice(page).isChecked());
}

/**
 * Puts the tab out of sight and returns once the server pushes: until then it believes that a tab of an earlier
 * journey is on screen.
 *
 * @param {Page} page
 * @param {PushService} service
 * @param {Agent} agent
 */
async function turnAway(page, service, agent) {
  await turn(page, 'hidden');
  const deadline = Date.now() + UNSEEN_MILLISECONDS;
  for (;;) {
    const word = unique('anybody');
    await agent.say({ to: me, body: word });
    const pushed = await service
      .push(({ body }) => body.includes(word), TRY_MILLISECONDS)
      .catch(() => undefined);
    if (pushed) return;
    assert.ok(Date.now() < deadline, 'nothing is pushed although no tab is on screen');
  }
}

describe('the settings', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`turn this device on, send a test and turn it off (${screen}, ${colorScheme})`, () =>
        visitWithPush(
          async (page, service) => {
            const look = async (/** @type {string} */ step) => {
              await screenshot(page, `push-${step}-${screen}-${colorScheme}`);
              await assertFits(page);
              assert.deepEqual(await axeViolations(page), [], step);
            };
            await page.goto('/settings');
            await page.getByRole('link', { name: 'Notifications', exact: true }).click();
            await thisDevice(page).waitFor();
            assert.ok(!(await thisDevice(page).isChecked()));
            await page.getByText('No other devices.').waitFor();
            await page.getByText('All conversations use the defaults.').waitFor();
            await look('off');

            await turnOn(page);
            await look('on');
            await page.getByRole('button', { name: 'Send a test' }).click();
            await page.getByText('Test notification sent to 1 device.').waitFor();
            const { headers, payload, text } = await service.push(({ tag }) => tag === 'test');
            assert.equal(headers['content-encoding'], 'aes128gcm');
            assert.match(String(headers['ttl']), /^\d+$/);
            const { public_key } = await (await page.request.get('/api/push/vapid-key')).json();
            assert.match(String(headers['authorization']), /^vapid /);
            assert.ok(String(headers['authorization']).includes(`k=${public_key}`));
            await deliver(page, text);
            const { title, body } = await shown(page, 'test');
            assert.deepEqual([title, body], [payload.title, payload.body]);

            await page.reload();
            await page.getByRole('switch', { name: 'Notifications on this device', checked: true }).click();
            await page.getByText('This device gets no more notifications.').waitFor();
            const { items } = await (await page.request.get('/api/push/subscriptions')).json();
            assert.deepEqual(items, []);
          },
          { options: { ...INSTALLED, viewport, colorScheme, reducedMotion: 'reduce' } },
        ));
    }
  }

  test('keep kinds and quiet hours, and move a switch back when that fails', () =>
    visitWithPush(
      async (page) => {
        await page.goto('/settings?tab=notifications');
        const runs = page.getByRole('switch', { name: 'Failed runs' });
        await runs.waitFor();
        await page.route('**/api/notifications/settings', (route) =>
          route.request().method() === 'PUT'
            ? route.fulfill({ status: 503, json: { status: 503, detail: 'Not now.' } })
            : route.continue(),
        );
        await runs.click();
        await page.getByText('Not now.').waitFor();
        assert.ok(await runs.isChecked());
        await page.unroute('**/api/notifications/settings');

        const saved = () =>
          page.waitForResponse(
            (response) =>
              response.url().endsWith('/api/notifications/settings') && response.request().method() === 'PUT',
          );
        try {
          const off = saved();
          await runs.click();
          await off;
          const quiet = saved();
          await page.getByRole('switch', { name: 'Use quiet hours' }).click();
          await quiet;
          await page.getByLabel('From').fill('23:30');
          await page.getByLabel('Time zone').selectOption('Europe/Berlin');
          await page.getByRole('button', { name: 'Save', exact: true }).click();
          await page.getByText('Quiet hours saved.').waitFor();
          await page.reload();
          await page.getByRole('switch', { name: 'Failed runs', checked: false }).waitFor();
          assert.equal(await page.getByLabel('From').inputValue(), '23:30');
          assert.equal(await page.getByLabel('Time zone').inputValue(), 'Europe/Berlin');
          assert.deepEqual(await axeViolations(page), []);
        } finally {
          await page.request.put('/api/notifications/settings', {
            data: { kinds: { failed_run: true }, quiet_hours: null },
            headers: { origin: serverOrigin() },
          });
        }
        // Changed elsewhere, seen here.
        await page.getByRole('switch', { name: 'Failed runs', checked: true }).waitFor();
        await page.getByRole('switch', { name: 'Use quiet hours', checked: false }).waitFor();
      },
      { expected: /503 .*\/api\/notifications\/settings/ },
    ));

  test('list other devices, and remove them', () =>
    visitWithPush(async (page, service) => {
      const { endpoint, ...keys } = service.subscribe();
      await post(page, '/api/push/subscriptions', { endpoint, keys, device: 'Telephone in the hall' });
      await page.goto('/settings?tab=notifications');
      const device = page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ hasText: 'Telephone in the hall' });
      await device.getByText('via 127.0.0.1').waitFor();
      await device.getByText('no notification yet').waitFor();
      assert.ok(!(await thisDevice(page).isChecked()));
      await page.getByRole('button', { name: 'Remove Telephone in the hall' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Telephone in the hall removed.').waitFor();
      await device.waitFor({ state: 'detached' });
    }));

  test('forget a device that is gone', () =>
    visitWithPush(async (page, service) => {
      await turnOn(page);
      service.answer(410);
      const refused = service.refused();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await refused;
      const deadline = Date.now() + 15_000;
      for (;;) {
        const { items } = await (await page.request.get('/api/push/subscriptions')).json();
        if (items.length === 0) break;
        assert.ok(Date.now() < deadline, 'the device is still listed');
      }
      await page.reload();
      await page.getByRole('switch', { name: 'Notifications on this device', checked: false }).waitFor();
    }));

  test('say how to allow notifications that are blocked', () =>
    visitWithPush(
      async (page) => {
        await page.addInitScript(() =>
          Object.defineProperty(Notification, 'permission', { get: () => 'denied' }),
        );
        await page.goto('/settings?tab=notifications');
        await page.getByText('Notifications are blocked in this browser').waitFor();
        await page.getByText('No other devices.').waitFor();
        assert.equal(await thisDevice(page).count(), 0);
        await screenshot(page, 'push-denied');
        assert.deepEqual(await axeViolations(page), []);
      },
      { options: { ...INSTALLED, viewport: PHONE } },
    ));
});

describe('a notification', () => {
  test('of a direct message comes while no tab is on screen, and leads to the message', () =>
    visitWithPush(async (page, service, agent) => {
      await turnOn(page);
      await turnAway(page, service, agent);

      await turn(page, 'visible');
      const before = unique('before');
      await agent.say({ to: me, body: `Nobody needs to hear ${before}` });
      await turn(page, 'hidden');
      const word = unique('after');
      const { id } = await agent.say({ to: me, body: `Please look at ${word}` });
      const { payload, text } = await service.push(({ body }) => body.includes(word));
      // Events are told in their order, so the one before would have come by now.
      assert.deepEqual(
        service.received.filter((one) => one.payload.body.includes(before)),
        [],
      );
      assert.ok(payload.title.includes(agent.name), payload.title);
      assert.equal(payload.body, `Please look at ${word}`);
      assert.equal(payload.url, `/dm/${agent.name}?m=${id}`);

      await deliver(page, text);
      await shown(page, payload.tag);
      await click(page, payload.tag);
      await page.waitForURL(`**/dm/${agent.name}*`);
      await page.locator(`article[data-message="${id}"]`).getByText(word).waitFor();
      assert.deepEqual(
        (await notifications(page)).filter(({ tag }) => tag === payload.tag),
        [],
      );
    }));

  test('of a task approves it once, and says when it is decided already', () =>
    visitWithPush(async (page, service, agent) => {
      await turnOn(page);
      const title = `Ship ${unique('parcel')}`;
      const goal = await post(page, '/api/goals', { title, coordinator: agent.name, budget: { usd: 5 } });
      await page.goto(`/goals/${goal.id}`);
      await page.getByRole('heading', { level: 1 }).getByText(title).waitFor();
      await turnAway(page, service, agent);
      /** @type {Set<string>} */
      const seen = new Set();
      const proposed = async (/** @type {string} */ task) => {
        await agent.call(`/api/goals/${goal.id}/tasks`, { tree: [{ title: task }] });
        const push = await service.push(
          ({ tag, url, actions }) => url === `/goals/${goal.id}` && actions.length === 2 && !seen.has(tag),
        );
        seen.add(push.payload.tag);
        await deliver(page, push.text);
        const { actions } = await shown(page, push.payload.tag);
        assert.deepEqual(actions, ['Approve', 'Reject']);
        return push.payload;
      };

      const first = await proposed('Tie the string');
      await click(page, first.tag, 'approve');
      await page.getByRole('treeitem', { name: /^Tie the string Approved/ }).waitFor();
      assert.deepEqual(
        (await notifications(page)).filter(({ tag }) => tag === first.tag),
        [],
      );

      const second = await proposed('Lick the stamp');
      const { tasks } = await (await page.request.get(`/api/goals/${goal.id}`)).json();
      const task = tasks.find((/** @type {{ title: string }} */ one) => one.title === 'Lick the stamp');
      await post(page, `/api/goals/${goal.id}/tasks/${task.id}/approve`, {});
      await click(page, second.tag, 'approve');
      const decided = await shown(page, second.tag, ({ body }) => body === 'Already decided');
      assert.deepEqual([decided.title, decided.url], [second.title, second.url]);
      assert.deepEqual(decided.actions, []);

      await page.request.post(`/api/goals/${goal.id}/complete`, {
        data: { status: 'cancelled', summary: 'The journey is over.' },
        headers: { origin: serverOrigin() },
      });
    }));

  test('that makes no sense is shown all the same', () =>
    visitWithPush(async (page) => {
      await turnOn(page);
      await deliver(page, '{ no JSON');
      const { title, url } = await shown(page, '');
      assert.deepEqual([title, url], ['svc', '/']);
    }));
});

describe('a channel', () => {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    test(`that is muted is grey, counts nothing and can be found (${screen})`, () =>
      visitWithPush(
        async (page, _service, agent) => {
          const channel = unique('noise');
          await makeChannel(page, channel, { members: [agent.name] });
          await page.goto(`/c/${channel}`);
          await page.getByRole('button', { name: 'Notifications: Mentions only' }).click();
          const menu = page.getByRole('menu', { name: /^Notifications/ });
          await menu.getByRole('menuitemcheckbox', { name: /^Mentions only/, checked: true }).waitFor();
          assert.deepEqual(await axeViolations(page), []);
          await menu.getByRole('menuitemcheckbox', { name: /^Nothing \(muted\)/ }).click();
          await page.getByRole('button', { name: 'Notifications: Nothing (muted)' }).waitFor();
          await assertFits(page);

          await page.goto('/settings?tab=notifications');
          const entry = page
            .getByRole('main')
            .getByRole('listitem')
            .filter({ hasText: `#${channel}` });
          await entry.getByText('Nothing (muted)').waitFor();
          await markAllRead(page);
          await page.waitForFunction(() => document.title === 'Settings · svc');
          await agent.say({ channel, body: `@${me} listen!` });
          // Events come in their order: once this message is there, the one before is too.
          const other = unique('signal');
          await makeChannel(page, other, { members: [agent.name] });
          await agent.say({ channel: other, body: 'One two three' });
          if (screen === 'phone') await page.getByRole('button', { name: 'Open navigation' }).click();
          const sidebar = page.getByRole('navigation', { name: 'Main' });
          const link = (/** @type {string} */ name) => sidebar.getByRole('link').filter({ hasText: name });
          await link(other).getByText('1 unread').waitFor({ state: 'attached' });
          await link(channel).getByText('muted').waitFor({ state: 'attached' });
          // The mention is no direct message.
          assert.equal(
            await link(agent.name)
              .getByText(/unread|for you/)
              .count(),
            0,
          );
          assert.equal(await page.title(), 'Settings · svc');
          const order = await sidebar
            .getByRole('group', { name: 'Channels' })
            .getByRole('listitem')
            .allTextContents();
          assert.ok(order.at(-1)?.includes(', muted'), order.join(' | '));
          await screenshot(page, `push-muted-${screen}`, { fullPage: false });
          assert.deepEqual(await axeViolations(page), []);
          if (screen === 'phone') await page.keyboard.press('Escape');

          await page.getByRole('button', { name: `Reset #${channel} to Mentions only` }).click();
          await entry.waitFor({ state: 'detached' });
          if (screen === 'phone') await page.getByRole('button', { name: 'Open navigation' }).click();
          await link(channel).getByText('1 for you').waitFor({ state: 'attached' });
        },
        { options: { ...INSTALLED, viewport } },
      ));
  }
});
