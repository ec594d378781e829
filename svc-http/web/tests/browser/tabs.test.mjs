/** Journeys with many tabs of one browser, which has about six connections to a server. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { logIn, useBrowser } from './journeys.mjs';

const { visit } = useBrowser();
const TABS = 8;

test('eight tabs share one stream, and go on when the one that has it is closed', () =>
  visit(async (page) => {
    await logIn(page);
    const agent = await makeAgent(page, unique('herald'));
    const channel = unique('square');
    await makeChannel(page, channel, { members: [agent.name] });
    const context = page.context();
    /** @type {string[]} */
    const streams = [];
    context.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/api/events') streams.push(search);
    });

    const tabs = [page];
    while (tabs.length < TABS) tabs.push(await context.newPage());
    for (const tab of tabs) {
      await tab.goto(`/c/${channel}`);
      await tab.getByText('Live', { exact: true }).waitFor();
    }
    assert.equal(streams.length, 1, `${streams.length} streams`);

    const said = async (/** @type {string} */ body) => {
      await agent.say({ channel, body });
      for (const tab of tabs) {
        await tab.locator('article').filter({ hasText: body }).waitFor();
        assert.equal(await tab.locator('article').filter({ hasText: body }).count(), 1);
      }
    };
    await said('Hear ye');
    await tabs.shift()?.close();
    // Said while nobody may have the stream yet.
    await said('The old one has left');
    await said('Long live the new one');
    assert.equal(streams.length, 2);
    assert.match(streams[1] ?? '', /^\?after=\d+$/);
    for (const tab of tabs) await tab.getByText('Live', { exact: true }).waitFor();
  }));
