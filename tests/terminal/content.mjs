/** Content for a new hub: people, an agent that is a command, work in channels, a goal that waits for decisions, a wiki. */

/** Writes a line every now and then, until it is cancelled. */
const TICKS = 'echo begun; i=0; while [ $i -lt 600 ]; do i=$((i+1)); sleep 1; echo "tick $i"; done';
const REPORT =
  '{"response": "**12** files.", "usage": {"tokens_in": 1200, "tokens_out": 80, "cost_usd": 0.01}}';

/** The settings of an agent that runs a command when it gets a message. @param {string} script */
function commanded(script) {
  const harness = { backend: 'subprocess', command: 'sh', args: ['-c', script], timeout_seconds: 300 };
  return { trigger_mode: 'reactive', cooldown_seconds: 0, harness };
}

/**
 * Fills a hub. Two hubs that are filled show the same.
 *
 * @param {import('./hub.mjs').Hub} hub
 */
export async function fill(hub) {
  const owner = await hub.logIn();
  const bob = await hub.person('bob');
  for (const [name, topic] of [
    ['kitchen', 'Lunch and other plans'],
    ['ops', 'What runs where'],
  ]) {
    await owner.post('/api/channels', { name, topic, members: ['bob'] });
  }
  await owner.call('PUT', '/api/channels/ops/settings', { workflow_enabled: true });
  await talk(owner, bob);
  const scout = await owner.agent('scout');
  await owner.agent('counter', commanded(`echo counting; echo '${REPORT}'`));
  await owner.agent('ticker', commanded(TICKS));
  await scout.say({ to: owner.name, body: 'I found 3 candidates. Shall I go on?' });
  const goal = await plan(owner, scout);
  await owner.post('/api/wiki/articles', {
    title: 'Deploy',
    body: '# Deploy\n\nRun `make deploy`, then see [[rollback]].\n\n## Checks\n\n- [x] tests\n- [ ] metrics\n',
  });
  await owner.post('/api/wiki/articles', {
    title: 'Rollback',
    body: '# Rollback\n\nSee [[deploy]].\n\n1. Stop the machine.\n2. Restore the data.\n',
  });
  return { owner, bob, scout, goal };
}

/** @param {import('./hub.mjs').Caller} owner @param {import('./hub.mjs').Caller} bob */
async function talk(owner, bob) {
  const soup = await bob.say({ channel: 'kitchen', body: 'Soup at noon?' });
  await owner.say({ channel: 'kitchen', body: 'Yes. The **menu** is [here](https://example.org/menu).' });
  await owner.say({ channel: 'kitchen', body: 'With bread, please.', reply_to: soup.id });
  const code = '```rust\nfn main() {\n    println!("ready"); // at last\n}\n```';
  const table = '| host | load |\n|---|---|\n| east | 0.4 |\n| west | 1.7 |';
  await bob.say({ channel: 'kitchen', body: `The fix:\n\n${code}\n\n${table}` });
  await bob.say({ channel: 'kitchen', body: `@${owner.name} 日本語, עברית and 👩‍👩‍👧 are fine.` });
  await bob.say({ channel: 'ops', body: 'Move the build to the new machine.' });
  await bob.say({ channel: 'ops', body: 'Rotate the keys.' });
  await bob.say({ to: owner.name, body: 'Do you have a minute?' });
}

/** @param {import('./hub.mjs').Caller} owner @param {import('./hub.mjs').Caller} scout */
async function plan(owner, scout) {
  const goal = await owner.post('/api/goals', {
    title: 'Launch the shop',
    description: 'Open on **1 December** with 20 products.',
    coordinator: scout.name,
    budget: { usd: 40 },
  });
  await scout.post(`/api/goals/${goal.id}/tasks`, {
    tree: [
      {
        title: 'Choose products',
        acceptance_criteria: '20 products with prices',
        budget_usd: 5,
        children: [{ title: 'Ask suppliers' }, { title: 'Compare prices', depends_on: ['Ask suppliers'] }],
      },
      { title: 'Build the site', description: 'One page is enough.' },
    ],
  });
  await scout.tool('propose_agent', {
    goal_id: goal.id,
    name: 'price-checker',
    purpose: 'Compares the prices of suppliers every morning.',
    instructions: 'Read the price lists.',
    tools: ['send_message'],
    budget_usd: 2,
    autonomy: 'supervised',
  });
  return /** @type {number} */ (goal.id);
}
