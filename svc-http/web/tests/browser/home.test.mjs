/** Journeys through home and what is unread, on the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { logIn, useBrowser } from './journeys.mjs';

const { visit, screenshot } = useBrowser();

test('nobody is sent to the login, and comes back', () =>
  visit(async (page) => {
    await page.goto('/?span=7d');
    await page.waitForURL('**/login?next=*');
    assert.equal(new URL(page.url()).searchParams.get('next'), '/?span=7d');
  }));

test('what waits appears without a reload, and a proposal is approved with one press', () =>
  visit(async (page) => {
    const { username } = await logIn(page);
    const agent = await makeAgent(page, unique('planner'));
    const channel = unique('plans');
    await makeChannel(page, channel, { members: [agent.name], workflow: true });
    /** @type {string[]} */
    const handedOut = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/api\/(dm\/[^/]+\/messages|messages|conversations\/\d+)$/.test(pathname))
        handedOut.push(pathname);
    });
    await page.goto('/');
    const waiting = page.getByRole('region', { name: 'For you' });
    await page.getByText('Live', { exact: true }).waitFor();

    await agent.say({ channel, body: `@${username} look at **this**` });
    await waiting.getByRole('link', { name: new RegExp(`^${agent.name} in #${channel}`) }).waitFor();
    await waiting.getByText(`@${username} look at this`).waitFor();
    await agent.say({ to: username, body: 'A word in private' });
    // The mention is no direct message.
    await waiting.getByRole('link', { name: `1 message from ${agent.name}` }).waitFor();
    await waiting.getByText('A word in private').waitFor();
    // Nothing is asked for that counts as handed out before the person has opened it.
    assert.deepEqual(handedOut, []);
    await page.waitForFunction(() => /^\(\d+\) Home/.test(document.title));

    const proposal = unique('Move the deadline');
    await agent.say({ channel, body: proposal });
    const approve = waiting.getByRole('button', { name: `Approve: ${proposal}` });
    await approve.waitFor();
    await screenshot(page, 'home-waiting');
    await approve.click();
    await page.getByText(`Approved: ${proposal}`).waitFor();
    await approve.waitFor({ state: 'detached' });
    const found = await page.request.get(`/api/messages/by-state?state=approved&channel=${channel}`);
    assert.equal((await found.json()).messages[0].body, proposal);
  }));

test('a message that was given up on is at home with its reason, and is acknowledged there', () =>
  visit(async (page) => {
    await logIn(page);
    const agent = await makeAgent(page, unique('worker'));
    await page.goto('/');
    await page.getByText('Live', { exact: true }).waitFor();
    const reason = unique('The disk is full');
    const helper = await makeAgent(page, unique('helper'));
    await helper.say({ to: agent.name, body: 'Please index the archive' });
    await agent.giveUp(reason);
    const waiting = page.getByRole('region', { name: 'For you' });
    const item = waiting.getByRole('listitem').filter({ hasText: reason });
    await item.getByRole('link', { name: `Failed message for ${agent.name}` }).focus();
    await page.keyboard.press('e');
    await item.waitFor({ state: 'detached' });
  }));

test('mentions and messages are worked through by keyboard, and every place tells the same number', () =>
  visit(async (page) => {
    const { username } = await logIn(page);
    const agent = await makeAgent(page, unique('caller'));
    const channel = unique('calls');
    await makeChannel(page, channel, { members: [agent.name] });
    const first = unique('first');
    await agent.say({ channel, body: `@${username} ${first}` });
    const second = unique('second');
    await agent.say({ channel, body: `@${username} ${second}` });
    const letter = unique('letter');
    await agent.say({ to: username, body: letter });
    await page.goto('/');
    await page.getByText('Live', { exact: true }).waitFor();
    const waiting = page.getByRole('region', { name: 'For you' });
    const item = (/** @type {string} */ text) => waiting.getByRole('listitem').filter({ hasText: text });
    for (const text of [first, second, letter]) await item(text).waitFor();
    const same = async () => {
      const { total, mentions } = await (await page.request.get('/api/notifications/totals')).json();
      await page.waitForFunction(
        (count) => (/^\((\d+)\)/.exec(document.title)?.[1] ?? '0') === String(count),
        total,
      );
      await page.getByRole('button', { name: total > 0 ? `Unread: ${total} for you` : 'Unread' }).waitFor();
      const sidebar = page.getByRole('navigation', { name: 'Main' });
      const entry = sidebar.getByRole('link', { name: /^Mentions/ });
      if (mentions > 0) await entry.getByText(`${mentions} for you`).waitFor({ state: 'attached' });
      else assert.equal(await entry.getByText('for you').count(), 0);
    };
    await same();
    await screenshot(page, 'home-for-you');
    // The older mention is read with its channel up to there; the newer one stays.
    await item(first).getByRole('link').first().focus();
    await page.keyboard.press('e');
    await item(first).waitFor({ state: 'detached' });
    await item(second).waitFor();
    await same();
    await item(second).getByRole('link').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('e');
    await item(second).waitFor({ state: 'detached' });
    await item(letter).getByRole('link').first().focus();
    await page.keyboard.press('e');
    await item(letter).waitFor({ state: 'detached' });
    await same();
    // Read mentions are still listed on their page.
    await page.goto('/mentions');
    const main = page.getByRole('main');
    await main.getByRole('link', { name: second }).click();
    await page.waitForURL(`**/c/${channel}?m=*`);
    await page.getByRole('main').getByText(second).first().waitFor();
    // The direct messages hold the letter alone.
    await page.goto(`/dm/${agent.name}`);
    await page.getByRole('main').getByText(letter).first().waitFor();
    assert.equal(await page.getByRole('main').getByText(second).count(), 0);
  }));

test('the span of the activity is in the address and survives a reload', () =>
  visit(async (page) => {
    await logIn(page);
    await page.goto('/');
    const picker = page.getByRole('navigation', { name: 'Time range' });
    await page.getByRole('figure', { name: 'Messages in the last 24 hours' }).waitFor();
    await picker.getByRole('link', { name: '7d' }).click();
    await page.getByRole('figure', { name: 'Messages in the last 7 days' }).waitFor();
    assert.equal(new URL(page.url()).search, '?span=7d');
    await page.reload();
    await page.getByRole('figure', { name: 'Messages in the last 7 days' }).waitFor();
    await page.getByText('Show as table').click();
    assert.equal(await page.locator('figure details tbody tr').count(), 7);
  }));

test('the bell lists what is unread and marks all of it as read', () =>
  visit(async (page) => {
    const { username } = await logIn(page);
    const agent = await makeAgent(page, unique('ringer'));
    await agent.say({ to: username, body: 'Ring' });
    await page.goto('/search');
    const bell = page.getByRole('button', { name: /^Unread: \d+ for you$/ });
    await bell.click();
    const list = page.getByRole('dialog', { name: 'Unread' });
    await list.getByRole('link', { name: agent.name }).waitFor();
    await screenshot(page, 'bell', { fullPage: false });
    await list.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('button', { name: 'Unread', exact: true }).waitFor();
    await page.waitForFunction(() => !document.title.startsWith('('));
    const unread = await (await page.request.get('/api/notifications/unread')).json();
    assert.deepEqual(
      unread.filter((/** @type {{ unread: number }} */ place) => place.unread > 0),
      [],
    );
  }));
