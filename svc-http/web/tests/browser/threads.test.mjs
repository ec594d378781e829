/** Threads whose answers stand in several conversations. On the server that SVC_URL names. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, makeChannel, unique } from './cast.mjs';
import { assertFits, DESKTOP, logIn, post, useBrowser } from './journeys.mjs';
import { axeViolations } from './visit.mjs';

const { visit, screenshot } = useBrowser();

for (const [screen, viewport] of /** @type {const} */ ([
  ['desktop', DESKTOP],
  ['phone', { width: 390, height: 844 }],
])) {
  test(`a message counts the answers that its thread shows, and says where they stand (${screen})`, () =>
    visit(
      async (page) => {
        await logIn(page);
        const agent = await makeAgent(page, unique('answers'));
        const [here, there] = [unique('here'), unique('there')];
        for (const channel of [here, there]) await makeChannel(page, channel, { members: [agent.name] });
        const root = await post(page, '/api/messages', { channel: here, body: 'Who knows?' });
        const first = await agent.say({ channel: there, body: 'I do, over there', reply_to: root.id });
        await page.goto(`/c/${here}`);
        // The only answer stands elsewhere.
        await page.getByRole('button', { name: '1 reply', exact: true }).click();
        const thread = page.getByRole('complementary', { name: 'Thread' });
        const row = thread.locator('article').filter({ hasText: 'I do, over there' });
        await row.waitFor();
        await thread.getByText('1 reply', { exact: true }).waitFor();
        const place = row.getByRole('link', { name: `#${there}` });
        assert.equal(await place.getAttribute('href'), `/c/${there}?m=${first.id}`);

        // What answers an answer is in the thread and not in the count.
        await agent.say({ channel: there, body: 'And so does everybody', reply_to: first.id });
        await thread.getByText('1 reply, 2 in thread', { exact: true }).waitFor();
        await assertFits(page);
        await screenshot(page, `thread-elsewhere-${screen}`, { fullPage: false });
        assert.deepEqual(await axeViolations(page), []);
        await place.click();
        await page.waitForURL(`**/c/${there}?m=${first.id}`);
      },
      { options: { viewport } },
    ));
}
