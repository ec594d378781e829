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
    const waiting = page.getByRole('region', { name: 'Needs your attention' });
    await page.getByText('Live', { exact: true }).waitFor();

    await agent.say({ channel, body: `@${username} look at **this**` });
    await waiting.getByRole('link', { name: `1 mention in #${channel}` }).waitFor();
    await agent.say({ to: username, body: 'A word in private' });
    // The mention has reached the inbox too, and is not counted again.
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

test('a message that was given up on is counted at home and leads to what happened', () =>
  visit(async (page) => {
    await logIn(page);
    const agent = await makeAgent(page, unique('worker'));
    await page.goto('/');
    await page.getByText('Live', { exact: true }).waitFor();
    const reason = unique('The disk is full');
    const helper = await makeAgent(page, unique('helper'));
    await helper.say({ to: agent.name, body: 'Please index the archive' });
    await agent.giveUp(reason);
    await page.getByRole('link', { name: /failed message/ }).click();
    await page.getByText(reason).first().waitFor();
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
