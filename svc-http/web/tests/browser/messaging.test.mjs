/** Journeys through channels, direct messages and threads: people in browsers, agents over the API. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFits, DESKTOP, logIn, PHONE, post, useBrowser } from './journeys.mjs';
import { LongChannel } from './long-channel.mjs';
import { picture } from './picture.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

const { visit, screenshot } = useBrowser();

/** Names that no other run has used. */
const run = Date.now().toString(36);
const agentName = `bot-${run}`;
const channel = `talk-${run}`;
const workflow = `work-${run}`;

/** @type {string} */
let key;
/** @type {string} */
let me;
/** The message that has a thread. */
let threadRoot = 0;

/**
 * Calls the API as the agent.
 *
 * @param {string} address
 * @param {object} body
 */
async function asAgent(address, body) {
  const response = await fetch(`${serverOrigin()}${address}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${address} answered with ${response.status}`);
  return response.json();
}

/** @param {import('playwright-core').Page} page */
const composer = (page) => page.getByRole('textbox', { name: /^Message / });
/** @param {import('playwright-core').Page} page @param {string} text */
const row = (page, text) => page.locator('article').filter({ hasText: text });

/** @type {Promise<void> | undefined} */
let ready;

/**
 * Logs in; the first journey also makes what all of them need.
 *
 * @param {import('playwright-core').Page} page
 */
async function enter(page) {
  const user = await logIn(page);
  await (ready ??= prepare(page, user));
}

/**
 * @param {import('playwright-core').Page} page
 * @param {{ username: string }} user
 */
async function prepare(page, user) {
  me = user.username;
  ({ key } = await post(page, '/api/agents', { name: agentName, display_name: 'Build bot' }));
  await post(page, '/api/channels', { name: channel, topic: 'What goes out next', members: [agentName] });
  await post(page, '/api/channels', { name: workflow, members: [agentName] });
  const settings = await page.request.put(`/api/channels/${workflow}/settings`, {
    data: { workflow_enabled: true },
    headers: { origin: serverOrigin() },
  });
  assert.ok(settings.ok());
  await post(page, '/api/messages', { channel, body: `Good morning @${agentName}. **Green** again?` });
  const root = await asAgent('/api/messages', {
    channel,
    body: 'Yes:\n\n1. `a1b2` broke it\n2. p99 is back\n\n```rust\nlet guard = cache.read().await;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  });
  threadRoot = root.id;
  await post(page, '/api/messages', { channel, body: 'Very good.', reply_to: root.id });
  for (const body of ['Proposal: ship it', 'Proposal: wait a week']) {
    await asAgent('/api/messages', { channel: workflow, body });
  }
  await asAgent('/api/messages', { to: me, body: 'Built **2.4.0** in 41 s.' });
  await post(page, '/api/messages', { to: agentName, body: 'Build it', subject: 'Release', priority: 8 });
}

// Addresses are made when they are visited: what they name is made by the first journey.
const PAGES = [
  { name: 'channel', address: () => `/c/${channel}`, settled: 'article pre' },
  { name: 'thread', address: () => `/c/${channel}?thread=${threadRoot}`, settled: 'aside article' },
  { name: 'members', address: () => `/c/${channel}?panel=members`, settled: 'aside li' },
  { name: 'board', address: () => `/c/${workflow}?view=board`, settled: 'section article' },
  { name: 'direct', address: () => `/dm/${agentName}`, settled: 'article' },
  { name: 'nobody', address: () => '/dm/nobody-is-called-this', settled: 'main h1' },
  { name: 'channels', address: () => '/channels', settled: 'main li' },
  { name: 'new-channel', address: () => '/channels?new=1', settled: 'dialog input' },
];

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    describe(`${screen}, ${colorScheme}`, () => {
      for (const { name, address, settled } of PAGES) {
        test(`${name} is accessible, fits and stays on the server`, () =>
          visit(
            async (page) => {
              await enter(page);
              await page.goto(address());
              await page.locator(settled).first().waitFor();
              await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
              await screenshot(page, `messaging-${name}-${screen}-${colorScheme}`, { fullPage: false });
              await assertFits(page);
              assert.deepEqual(await axeViolations(page), []);
            },
            { options: { viewport, colorScheme }, expected: /404 .*\/api\/dm\/nobody/ },
          ));
      }
    });
  }
}

describe('talking', () => {
  test('what is written appears in another browser, and back', () =>
    visit(async (here) => {
      await enter(here);
      await here.goto(`/c/${channel}`);
      await composer(here).waitFor();
      await visit(async (there) => {
        await enter(there);
        await there.goto(`/c/${channel}`);
        await composer(there).fill('From there');
        await composer(there).press('Enter');
        await row(here, 'From there').waitFor();
        await composer(here).fill('From **here**');
        await here.getByRole('button', { name: 'Send', exact: true }).click();
        await row(there, 'From here').locator('strong').waitFor();
        // Each is there once, also where it was sent.
        assert.equal(await row(here, 'From here').count(), 1);
        assert.equal(await row(there, 'From there').count(), 1);
      });
    }));

  test('what an agent says is on screen within 200 ms, and is announced', () =>
    visit(async (page) => {
      await enter(page);
      await page.goto(`/c/${channel}`);
      await row(page, 'Very good.').waitFor();
      let best = Infinity;
      for (let round = 0; round < 5 && best > 200; round += 1) {
        const text = `On time ${round}`;
        const shown = page.evaluate(
          (wanted) =>
            new Promise((resolve) => {
              const look = () => document.querySelector('main')?.textContent?.includes(wanted);
              new MutationObserver((_changes, observer) => {
                if (!look()) return;
                observer.disconnect();
                resolve(Date.now());
              }).observe(document.body, { childList: true, subtree: true, characterData: true });
            }),
          text,
        );
        await page.evaluate(() => undefined);
        const sent = Date.now();
        await asAgent('/api/messages', { channel, body: text });
        best = Math.min(best, Number(await shown) - sent);
      }
      assert.ok(best <= 200, `it took ${best} ms at best`);
      await page.locator('[aria-live=polite]').filter({ hasText: 'On time' }).waitFor({ state: 'attached' });
    }));

  test('unread is counted elsewhere, marked by a line, and gone when it has been seen', () =>
    visit(async (page) => {
      await enter(page);
      await page.goto('/channels');
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: channel });
      await link.waitFor();
      await asAgent('/api/messages', { channel, body: 'While you were away' });
      await link.getByText('1 unread').waitFor({ state: 'attached' });
      await asAgent('/api/messages', { to: me, body: 'Psst' });
      await page.waitForFunction(() => /^\(\d+\) Channels/.test(document.title));
      await link.click();
      await page.getByRole('separator', { name: 'New' }).waitFor();
      await link.getByText('unread').waitFor({ state: 'detached' });
    }));

  test('names are completed with the keyboard, and Enter then sends', () =>
    visit(async (page) => {
      await enter(page);
      await page.goto(`/c/${channel}`);
      const text = composer(page);
      await text.pressSequentially(`Ask @${agentName.slice(0, 6)}`);
      await page.getByRole('option', { name: agentName }).waitFor();
      await screenshot(page, 'messaging-completion', { fullPage: false });
      assert.deepEqual(await axeViolations(page), []);
      await text.press('Enter');
      assert.equal(await text.inputValue(), `Ask @${agentName} `);
      await text.press('Enter');
      await row(page, 'Ask @bot')
        .getByRole('link', { name: `@${agentName}` })
        .last()
        .waitFor();
    }));

  test('Shift and Enter begin a line; the preview shows the Markdown', () =>
    visit(async (page) => {
      await enter(page);
      await page.goto(`/c/${channel}`);
      await composer(page).pressSequentially('one');
      await composer(page).press('Shift+Enter');
      await composer(page).pressSequentially('two');
      assert.equal(await composer(page).inputValue(), 'one\ntwo');
      await composer(page).press('ControlOrMeta+a');
      await page.getByRole('button', { name: 'List' }).click();
      assert.equal(await composer(page).inputValue(), '- one\n- two');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('region', { name: 'Preview' }).locator('li').nth(1).waitFor();
    }));

  test('more than 64 KiB is not sent, and says so', () =>
    visit(async (page) => {
      await enter(page);
      await page.goto(`/c/${channel}`);
      await composer(page).fill('x'.repeat(65 * 1024));
      await page.getByText('65.0 of 64 KiB: too long').waitFor();
      await composer(page).press('Enter');
      await page.getByRole('alert').filter({ hasText: 'longer than 64 KiB' }).waitFor();
      await composer(page).fill('y'.repeat(60 * 1024));
      await composer(page).press('Enter');
      await page.getByRole('button', { name: 'Show more' }).last().waitFor();
    }));
});

describe('threads and links', () => {
  test('from one channel to another, everything on screen is the other one', () =>
    visit(async (page) => {
      await enter(page);
      await page.goto(`/c/${channel}`);
      await composer(page).fill('For the first');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: workflow }).click();
      await page.getByRole('heading', { name: workflow, level: 1 }).waitFor();
      await row(page, 'Proposal: ship it').waitFor();
      assert.equal(await composer(page).inputValue(), '');
      await page.goBack();
      await page.getByRole('heading', { name: channel, level: 1 }).waitFor();
      assert.equal(await composer(page).inputValue(), 'For the first');
    }));

  test('a thread is opened and answered with the keyboard', () =>
    visit(async (page) => {
      await enter(page);
      const { id } = await asAgent('/api/messages', { channel, body: 'Who takes the importer?' });
      await page.goto(`/c/${channel}?m=${id}`);
      const message = page.locator(`#m-${id}`);
      await message.waitFor();
      await message.focus();
      await page.keyboard.press('r');
      const reply = page.getByRole('textbox', { name: 'Reply' });
      await reply.fill('I do');
      await reply.press('Enter');
      await page.getByRole('complementary', { name: 'Thread' }).getByText('1 reply').waitFor();
      await message.getByRole('button', { name: '1 reply' }).waitFor();
      await page.getByRole('button', { name: 'Close thread' }).click();
      assert.equal(new URL(page.url()).searchParams.get('thread'), null);
    }));

  test('a link to an old message opens around it and the newest is one press away', () =>
    visit(async (page) => {
      await enter(page);
      const long = new LongChannel(channel, 5_000, me);
      await long.serve(page);
      await page.goto(`/c/${channel}?m=700`);
      await page.locator('#m-700').waitFor();
      assert.ok(await isInView(page, '#m-700'));
      await page.getByRole('button', { name: 'Jump to latest' }).click();
      await page.locator('#m-5000').waitFor();
      await page.waitForFunction(() => {
        const row = document.getElementById('m-5000')?.getBoundingClientRect();
        return row !== undefined && row.bottom < innerHeight;
      });
    }));
});

describe('reactions and the board', () => {
  test('a proposal is approved and the approval taken back', () =>
    visit(async (page) => {
      await enter(page);
      await page.goto(`/c/${workflow}`);
      const message = row(page, 'Proposal: ship it');
      await message.hover();
      await message.getByRole('group', { name: 'Workflow' }).getByRole('button', { name: 'Approve' }).click();
      await message.getByText('Approved', { exact: true }).waitFor();
      await message.getByRole('button', { name: /^Approve, 1/ }).click();
      await message.getByText('Proposed', { exact: true }).waitFor();
    }));

  test('a card is moved by its menu and by dragging', () =>
    visit(async (page) => {
      await enter(page);
      await page.goto(`/c/${workflow}?view=board`);
      const column = (/** @type {string} */ name) =>
        page.getByRole('region', { name: new RegExp(`^${name}`) });
      const card = page.locator('article').filter({ hasText: 'wait a week' });
      await card.getByRole('button', { name: 'Change state' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Move to Approved' }).waitFor();
      await page.keyboard.press('Enter');
      await column('Approved').getByText('wait a week').waitFor();
      await card.dragTo(column('Rejected'));
      await column('Rejected').getByText('wait a week').waitFor();
      await card.dragTo(column('Proposed'));
      await column('Proposed').getByText('wait a week').waitFor();
    }));
});

describe('emoji', () => {
  test('are chosen in the picker, counted and taken back, and seen by others at once', () =>
    visit(async (page) => {
      await enter(page);
      const { id } = await asAgent('/api/messages', { channel, body: `Shipped ${run}` });
      await page.goto(`/c/${channel}`);
      const message = row(page, `Shipped ${run}`);
      await page.getByText('Live', { exact: true }).waitFor();
      await message.hover();
      await message.getByRole('button', { name: 'Add emoji' }).click();
      const picker = page.getByRole('dialog', { name: 'Add emoji' });
      await picker.getByRole('button', { name: 'Food and drink' }).click();
      await picker.getByRole('button', { name: 'pizza', exact: true }).waitFor();
      await picker.getByRole('searchbox', { name: 'Search emoji' }).fill('party popper');
      await picker.getByRole('button', { name: 'tada' }).waitFor();
      assert.deepEqual(await axeViolations(page), []);
      await picker.getByRole('searchbox').press('Enter');
      const chip = message.getByRole('button', { name: /^🎉, / });
      await message.getByRole('button', { name: /^🎉, 1, by / }).waitFor();
      const added = await fetch(`${serverOrigin()}/api/messages/${id}/emoji/${encodeURIComponent('🎉')}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${key}` },
      });
      assert.ok(added.ok);
      await message.getByRole('button', { name: /^🎉, 2/ }).waitFor();
      assert.equal(await chip.getAttribute('aria-pressed'), 'true');
      await chip.click();
      await message.getByRole('button', { name: /^🎉, 1/ }).waitFor();
      assert.equal(await chip.getAttribute('aria-pressed'), 'false');
      // The arrows move among the ones chosen last, and Escape goes back to the button.
      await message.getByRole('button', { name: 'Add emoji' }).focus();
      await page.keyboard.press('Enter');
      await picker.getByRole('searchbox').press('ArrowDown');
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'tada');
      await page.keyboard.press('Escape');
      await picker.waitFor({ state: 'hidden' });
    }));

  test('a shortcode is completed while writing, and one that is written out is replaced', () =>
    visit(async (page) => {
      await enter(page);
      await page.goto(`/c/${channel}`);
      await composer(page).pressSequentially(`Done ${run} :rocke`);
      await page.getByRole('option', { name: ':rocket:' }).waitFor();
      await composer(page).press('Enter');
      await composer(page).pressSequentially(':tada:');
      await page.waitForFunction(
        (text) => document.querySelector('textarea')?.value === text,
        `Done ${run} 🚀 🎉`,
      );
      await composer(page).press('Enter');
      await row(page, `Done ${run} 🚀 🎉`).waitFor();
    }));

  test('reactions of a workflow are in the menu where there is no workflow', () =>
    visit(async (page) => {
      await enter(page);
      await asAgent('/api/messages', { channel, body: `Nothing to approve ${run}` });
      await page.goto(`/c/${channel}`);
      const message = row(page, `Nothing to approve ${run}`);
      await page.getByText('Live', { exact: true }).waitFor();
      await message.hover();
      assert.equal(await message.getByRole('group', { name: 'Workflow' }).count(), 0);
      await message.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitemcheckbox', { name: /^Done/ }).waitFor();
    }));
});

describe('files', () => {
  const PNG = picture(40, 30);

  test('files are attached, shown and can be removed', () =>
    visit(async (page) => {
      await enter(page);
      await page.goto(`/c/${channel}`);
      await page.locator('input[type=file]').setInputFiles([
        { name: 'dot.png', mimeType: 'image/png', buffer: PNG },
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from(`notes ${run}`) },
        { name: 'extra.txt', mimeType: 'text/plain', buffer: Buffer.from(`extra ${run}`) },
      ]);
      const files = page.getByRole('list', { name: 'Attached files' });
      await files.getByText('extra.txt').waitFor();
      await page.getByRole('button', { name: 'Remove extra.txt' }).click();
      await files.getByRole('progressbar').first().waitFor({ state: 'detached' });
      await composer(page).fill('With files');
      await composer(page).press('Enter');
      const message = row(page, 'With files').last();
      await message.getByRole('link', { name: /notes\.txt/ }).waitFor();
      assert.equal(await message.getByText('extra.txt').count(), 0);
      await message.getByRole('button', { name: 'Open dot.png' }).click();
      await page.getByRole('dialog', { name: 'dot.png' }).getByRole('img').waitFor();
      assert.deepEqual(await axeViolations(page), []);
    }));

  test('a file that is refused says why and does not go with the message', () =>
    visit(
      async (page) => {
        await enter(page);
        await page.goto(`/c/${channel}`);
        const buffer = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3, 0xff, 0xfe]);
        await page
          .locator('input[type=file]')
          .setInputFiles([{ name: 'a.bin', mimeType: 'application/octet-stream', buffer }]);
        await page.getByRole('list', { name: 'Attached files' }).getByRole('alert').waitFor();
        await composer(page).fill('Without');
        await composer(page).press('Enter');
        await page.getByText('A file failed to upload.').waitFor();
        await page.getByRole('button', { name: 'Remove a.bin' }).click();
        await composer(page).press('Enter');
        await row(page, 'Without').waitFor();
      },
      { expected: /415 .*\/api\/attachments/ },
    ));

  test('hostile text and file names are only text', () =>
    visit(async (page) => {
      await enter(page);
      page.on('dialog', (dialog) => assert.fail(`a dialog said ${dialog.message()}`));
      const name = '"><img src=x onerror=alert(1)>.txt';
      const upload = await page.request.post('/api/attachments', {
        multipart: { file: { name, mimeType: 'text/plain', buffer: Buffer.from(`hostile ${run}`) } },
        headers: { origin: serverOrigin() },
      });
      assert.ok(upload.ok());
      const body = [
        'hostile',
        '<script>alert(1)</script><img src=x onerror=alert(1)>',
        '[a](javascript:alert(1)) ![b](https://evil.test/b.png) <https://evil.test/>',
        '[c](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
        '`<b>` **<u>x</u>** &lt;script&gt;',
        '\u202Etxt.exe',
      ].join('\n\n');
      await post(page, '/api/messages', { channel, body, attachments: [(await upload.json()).hash] });
      await page.goto(`/c/${channel}`);
      const message = row(page, 'hostile').last();
      await message.getByText('<script>alert(1)</script>').waitFor();
      assert.equal(await message.locator('script, img, iframe, [onerror], [style]').count(), 0);
      for (const address of await message
        .locator('.markdown a')
        .evaluateAll((all) => all.map((a) => a.getAttribute('href')))) {
        assert.match(address ?? '', /^https:\/\/evil\.test/);
      }
      await message.getByText('onerror=alert(1)>.txt').waitFor();
    }));
});

describe('bad conditions', () => {
  test('a refused message stays with its reason and can be sent again', () =>
    visit(
      async (page) => {
        await enter(page);
        await page.goto(`/c/${channel}`);
        await composer(page).waitFor();
        const json = { title: 'Conflict', status: 409, code: 'some_reason', detail: 'Not at this hour.' };
        await page.route('/api/messages', (route) => route.fulfill({ status: 409, json }));
        await composer(page).fill('At night');
        await composer(page).press('Enter');
        await page.getByText('Not at this hour.').waitFor();
        await screenshot(page, 'messaging-refused', { fullPage: false });
        assert.deepEqual(await axeViolations(page), []);
        await page.reload();
        await page.getByText('Not at this hour.').waitFor();
        await page.unroute('/api/messages');
        await page.getByRole('button', { name: 'Retry' }).click();
        await page.getByText('Not at this hour.').waitFor({ state: 'detached' });
        await row(page, 'At night').waitFor();
      },
      { expected: /409 .*\/api\/messages/ },
    ));

  test('offline, what is written waits; back online it arrives, once, and so does what was missed', () =>
    visit(
      async (page) => {
        await enter(page);
        await page.goto(`/c/${channel}`);
        await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
        await composer(page).waitFor();
        await page.context().setOffline(true);
        await composer(page).fill('Written in the tunnel');
        await composer(page).press('Enter');
        await page.getByText('The message is sent when the connection is back').waitFor();
        await page.getByText(/^(Offline|Reconnecting)$/).waitFor();
        await screenshot(page, 'messaging-offline', { fullPage: false });
        assert.deepEqual(await axeViolations(page), []);
        await asAgent('/api/messages', { channel, body: 'Said meanwhile' });
        await page.context().setOffline(false);
        await row(page, 'Said meanwhile').waitFor({ timeout: 45_000 });
        await page.getByText('The message is sent when').waitFor({ state: 'detached' });
        assert.equal(await row(page, 'Written in the tunnel').count(), 1);
      },
      { expected: /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_IO_SUSPENDED|Failed to load resource/ },
    ));

  test('an ended login leads to the login and back to the same place with the draft', () =>
    visit(
      async (page) => {
        await enter(page);
        await page.goto(`/c/${channel}?panel=members`);
        await composer(page).fill('Half a thought');
        await page.getByLabel('Invite by handle').fill('somebody');
        const invite = await page.getByRole('button', { name: 'Invite', exact: true }).elementHandle();
        await page.context().clearCookies();
        // A request of the page itself may be refused first, and then the button is gone.
        await invite
          ?.evaluate((button) => button.dispatchEvent(new MouseEvent('click')))
          .catch(() => undefined);
        await page.waitForURL(/\/login\?next=/);
        await logIn(page);
        await page.reload();
        await page.waitForURL(`**/c/${channel}?panel=members`);
        assert.equal(await composer(page).inputValue(), 'Half a thought');
      },
      { expected: /401 / },
    ));

  test('nobody is shown the page: the login comes first and leads back', () =>
    visit(async (page) => {
      await page.goto(`/c/${channel}?m=5`);
      await page.waitForURL(/\/login\?next=/);
      assert.equal(new URL(page.url()).searchParams.get('next'), `/c/${channel}?m=5`);
    }));

  test('two tabs share drafts and do not send twice', () =>
    visit(async (page) => {
      await enter(page);
      await page.goto(`/c/${channel}`);
      const second = await page.context().newPage();
      await second.goto(`/c/${channel}`);
      await composer(second).waitFor();
      await composer(page).fill('Shared thought');
      await second.waitForFunction(() => document.querySelector('textarea')?.value === 'Shared thought');
      await composer(page).press('Enter');
      await second.locator('article[id^=m-]').filter({ hasText: 'Shared thought' }).waitFor();
      await second.waitForFunction(() => document.querySelector('textarea')?.value === '');
      assert.equal(await row(second, 'Shared thought').count(), 1);
    }));

  test('an hour of difference between the clocks shows no message from the future', () =>
    visit(async (page) => {
      await enter(page);
      await page.clock.setFixedTime(Date.now() - 3_600_000);
      await page.goto(`/dm/${agentName}`);
      await row(page, 'Built 2.4.0').waitFor();
      assert.equal(await page.getByText(/^in \d+ (hour|minute)/).count(), 0);
    }));
});

describe('long conversations', () => {
  test('100,000 messages open as fast as few and keep their place while one scrolls', () =>
    visit(async (page) => {
      await enter(page);
      const time = async (/** @type {number} */ length) => {
        const long = new LongChannel(channel, length, me);
        await long.serve(page);
        await page.goto('/channels');
        const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: channel });
        await link.waitFor();
        const begun = Date.now();
        await link.click();
        await page.locator(`#m-${length}`).waitFor();
        const taken = Date.now() - begun;
        // Nothing is asked any more, so nothing reaches a server that has no such messages.
        await page.goto('about:blank');
        await page.unrouteAll();
        return taken;
      };
      await time(50);
      const few = Math.min(await time(50), await time(50));
      const many = Math.min(await time(100_000), await time(100_000));
      assert.ok(many <= Math.max(2 * few, 300), `${many} ms for 100,000 messages, ${few} ms for 50`);

      await new LongChannel(channel, 100_000, me).serve(page);
      await page.goto(`/c/${channel}?m=50000`);
      await page.locator('#m-50000').waitFor();
      const jumps = await page.evaluate(scrollAndMeasure);
      assert.ok(jumps.seen > 150, `only ${jumps.seen} messages were seen`);
      assert.ok(jumps.most <= 2, `a message jumped by ${jumps.most} pixels`);
      assert.ok((await page.locator('article').count()) <= 260);
    }));
});

/** @param {import('playwright-core').Page} page @param {string} selector */
function isInView(page, selector) {
  return page.waitForFunction((wanted) => {
    const row = document.querySelector(wanted)?.getBoundingClientRect();
    return row !== undefined && row.top >= 0 && row.bottom <= innerHeight;
  }, selector);
}

/**
 * Scrolls up by small steps, as a wheel does, and notes how far a message that is on screen moves
 * besides, when pages arrive above it.
 */
async function scrollAndMeasure() {
  const box = /** @type {HTMLElement} */ (document.querySelector('main .box'));
  const top = box.getBoundingClientRect().top;
  const seen = new Set();
  let most = 0;
  for (let step = 0; step < 400; step += 1) {
    const rows = [...box.querySelectorAll('article')];
    const first = rows.find((row) => row.getBoundingClientRect().bottom > top + 50);
    if (!first) break;
    const id = first.id;
    seen.add(id);
    const before = first.getBoundingClientRect().top;
    const scrolled = box.scrollTop;
    box.scrollTop -= 60;
    const moved = Math.min(60, scrolled);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const after = document.getElementById(id)?.getBoundingClientRect().top;
    if (after !== undefined) most = Math.max(most, Math.abs(after - before - moved));
  }
  return { seen: seen.size, most };
}
