/** Messages that are edited and deleted. On the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, post, useBrowser } from './journeys.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

const { visit, screenshot } = useBrowser();

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', { width: 390, height: 844 }],
])) {
  test(`my last message is edited with the key up, and says what it was (${screen})`, () =>
    visit(
      async (page) => {
        await logIn(page);
        const channel = unique('edits');
        await makeChannel(page, channel);
        await post(page, '/api/messages', { channel, body: 'The zeppelin lands on Mnday' });
        await page.goto(`/c/${channel}`);
        const row = page.locator('article').filter({ hasText: 'zeppelin' });
        await row.waitFor();
        const composer = page.getByRole('textbox', { name: `Message #${channel}` });
        await composer.focus();
        await composer.press('ArrowUp');
        const editor = page.getByRole('textbox', { name: 'Edit message' });
        await editor.waitFor();
        assert.equal(await editor.inputValue(), 'The zeppelin lands on Mnday');
        // Escape gives up.
        await editor.press('Escape');
        await editor.waitFor({ state: 'detached' });
        await composer.focus();
        await composer.press('ArrowUp');
        await editor.fill('The zeppelin lands on Monday');
        await page.getByRole('button', { name: 'Save' }).click();
        await row.getByText('The zeppelin lands on Monday').waitFor();
        await row.getByRole('button', { name: '(edited)' }).click();
        const versions = page.getByRole('dialog', { name: 'Versions' });
        await versions.getByText('The zeppelin lands on Mnday').waitFor();
        await versions.getByText('The zeppelin lands on Monday').waitFor();
        await assertFits(page);
        await screenshot(page, `versions-${screen}`, { fullPage: false });
        assert.deepEqual(await axeViolations(page), []);
      },
      { options: { viewport } },
    ));
}

test('a message that somebody edits or deletes changes on screen', () =>
  visit(async (page) => {
    await logIn(page);
    const agent = await makeAgent(page, unique('editor'));
    const channel = unique('live');
    await makeChannel(page, channel, { members: [agent.name] });
    await page.goto(`/c/${channel}`);
    const mine = await post(page, '/api/messages', { channel, body: 'a plan of mine' });
    const theirs = await agent.say({ channel, body: 'a plan of theirs' });
    const row = (/** @type {{ id: number }} */ { id }) => page.locator(`article[data-message="${id}"]`);
    await row(theirs).getByText('a plan of theirs').waitFor();
    /**
     * @param {string} method
     * @param {{ id: number }} message
     * @param {object} data
     */
    const change = (method, { id }, data) =>
      page.request.fetch(`/api/messages/${id}`, { method, data, headers: { origin: serverOrigin() } });
    assert.equal((await change('PATCH', mine, { body: 'a better plan' })).status(), 200);
    await row(mine).getByText('a better plan').waitFor();
    await row(mine).getByRole('button', { name: '(edited)' }).waitFor();

    // The agent is mine, so I may delete what it said.
    await row(theirs).hover();
    await row(theirs).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete message' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete message' });
    await screenshot(page, 'delete-message', { fullPage: false });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row(theirs).getByText('Deleted by').waitFor();
    assert.equal(await row(theirs).getByText('a plan of theirs').count(), 0);
    await screenshot(page, 'tombstone', { fullPage: false });
    assert.deepEqual(await axeViolations(page), []);
    assert.equal((await change('DELETE', mine, {})).status(), 200);
    await row(mine).getByText('Deleted by').waitFor();
  }));
