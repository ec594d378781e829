/** Journeys of one person through both backends, key by key. After every step both show the same. */

import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeSides, Pair } from './pair.mjs';
import { eventually, Home } from './terminal.mjs';

/** @type {import('./pair.mjs').Side[]} */
let sides = [];

before(async () => {
  sides = await makeSides();
});
after(async () => {
  await Promise.all(sides.map((side) => side.close()));
});

/**
 * A journey of somebody who has logged in before.
 *
 * @param {string} name
 * @param {(pair: Pair) => Promise<void>} journey
 * @param {Parameters<typeof Pair.start>[1]} [options]
 */
function journey(name, journey, options) {
  test(name, async () => {
    const pair = await Pair.start(sides, options);
    try {
      await pair.logIn();
      await journey(pair);
    } finally {
      await pair.close();
    }
  });
}

describe('a login', () => {
  test('is refused, then works, is kept, and ends', async () => {
    const homes = sides.map((side) => side.home);
    sides.forEach((side) => (side.home = new Home()));
    /** @type {Pair[]} */
    const pairs = [];
    const start = async (/** @type {string[]} */ ...words) => {
      const pair = await Pair.start(sides, { words });
      pairs.push(pair);
      return pair;
    };
    try {
      const pair = await start();
      await pair.shows('Log in', 'Username');
      await pair.same('the form');
      await pair.each(async (terminal, { hub }) => {
        await terminal.type(hub.username);
        await terminal.keys('Enter');
        await terminal.type('not the password');
        await terminal.shows('•'.repeat('not the password'.length));
        assert.ok(!(await terminal.screen()).includes('not the password'));
        await terminal.keys('Enter');
      });
      await pair.shows(/password/i, /wrong|incorrect|invalid|not right|do not match/i);
      await pair.same('a wrong password');
      await pair.each(async (terminal, { hub }) => {
        await terminal.type(hub.password);
        await terminal.keys('Enter');
      });
      await pair.live();
      await pair.same('the first screen');
      for (const { home } of sides) {
        const { mode } = statSync(path.join(home.variables.XDG_CONFIG_HOME, 'svc', 'logins.toml'));
        assert.equal(mode & 0o777, 0o600);
      }
      await pair.keys('q');
      assert.deepEqual(await pair.ended(), [0, 0]);

      const again = await start();
      await again.live();
      await again.same('the second start');
      await again.keys('q');
      await again.ended();

      const out = await start('logout');
      assert.deepEqual(await out.ended(), [0, 0]);
      await out.shows('Logged out.');
      const none = await start('logout');
      assert.deepEqual(await none.ended(), [0, 0]);
      await none.shows('There was no login.');

      const last = await start();
      await last.shows('Log in', 'Username');
      await last.keys('Escape');
      assert.deepEqual(await last.ended(), [0, 0]);
    } finally {
      await Promise.all(pairs.map((pair) => pair.close()));
      sides.forEach((side, index) => {
        side.home.remove();
        const home = homes[index];
        assert.ok(home);
        side.home = home;
      });
    }
  });

  test('that was ended elsewhere is asked for again', async () => {
    const homes = sides.map((side) => side.home);
    sides.forEach((side) => (side.home = new Home()));
    const pair = await Pair.start(sides);
    try {
      await pair.logIn();
      await pair.keys('q');
      await pair.ended();
      for (const { content, hub } of sides) {
        await content.owner.call('DELETE', '/auth/sessions');
        content.owner = await hub.logIn();
      }
      const again = await Pair.start(sides);
      try {
        await again.shows('Log in', 'The login has ended: log in again.');
        await again.same('the form after the end of a login');
      } finally {
        await again.close();
      }
    } finally {
      await pair.close();
      sides.forEach((side, index) => {
        side.home.remove();
        const home = homes[index];
        assert.ok(home);
        side.home = home;
      });
    }
  });
});

describe('both backends show the same', () => {
  for (const [columns, rows] of /** @type {const} */ ([
    [80, 24],
    [140, 40],
  ])) {
    journey(
      `on every screen (${columns}x${rows})`,
      async (pair) => {
        for (const [keys, text] of [
          ['t', 'price-checker'],
          ['b', 'Rotate the keys'],
          ['a', 'ticker'],
          ['r', /[Rr]un/],
          ['o', 'Launch the shop'],
          ['w', 'Rollback'],
          ['d', /dead letter/i],
          ['m', /machine/i],
          ['c', '#kitchen'],
        ]) {
          await pair.keys('g', String(keys));
          await pair.shows(/** @type {string} */ (text));
          await pair.same(`g ${keys}`);
          await pair.keys('?');
          await pair.shows('Everywhere');
          await pair.same(`the help of g ${keys}`);
          await pair.keys('Enter');
          await pair.hides('Everywhere');
        }
        for (const text of ['#kitchen', '@scout', '@bob']) {
          await pair.open(text);
          await pair.shows(`Write to ${text}`);
          await pair.same(text);
        }
      },
      { columns, rows },
    );
  }
});

describe('a conversation', () => {
  journey('is read, and a message in it is claimed, finished and answered', async (pair) => {
    await pair.open('#kitchen');
    await pair.shows('With bread, please.', 'println!("ready");', 'east', '日本語');
    await pair.same('#kitchen');

    await pair.open('#ops');
    await pair.shows('Rotate the keys.', 'Move the build');
    await pair.keys('G');
    await pair.same('#ops');
    await pair.keys('e');
    await pair.shows('React', 'claim (in progress)');
    await pair.same('the reactions');
    await pair.keys('a');
    await pair.shows(/approve admin/);
    await pair.same('a reaction');
    await pair.keys('c');
    await pair.shows(/in_progress admin/);
    await pair.same('a claim');
    await pair.keys('d');
    await pair.shows('[done]');
    await pair.same('done');

    await pair.keys('r');
    await pair.shows('Thread in #ops', 'Reply in the thread');
    await pair.type('They are new now.');
    await pair.keys('M-Enter');
    await pair.type('All of them.');
    await pair.shows('They are new now.', 'All of them.');
    await pair.keys('Enter');
    await pair.hides('sending …');
    await pair.shows('They are new now.', 'All of them.');
    await pair.same('a reply');
    await pair.keys('Escape');
    await pair.shows('i write');
    await pair.keys('Escape');
    await pair.hides('Thread in #ops');
    await pair.shows('1 reply');
    await pair.same('the timeline after a reply');

    await pair.each(async (_, { content: { owner } }) => {
      const messages = await owner.messages('ops');
      const [work, reply] = ['Rotate the keys.', 'They are new now.\nAll of them.'].map((body) =>
        messages.find((message) => message.body === body),
      );
      assert.equal(work.workflow_state, 'done');
      assert.equal(reply.reply_to, work.id);
    });
  });

  journey('has a message edited, and deleted', async (pair) => {
    await pair.open('#kitchen');
    await pair.shows('Write to #kitchen');
    await pair.keys('i');
    await pair.shows('Enter send');
    await pair.type('The stew is hot.');
    await pair.keys('Enter');
    await pair.shows('The stew is hot.');
    await pair.hides('sending …');
    await pair.keys('Escape');
    await pair.hides('Enter send');
    await pair.keys('G');
    await pair.keys('E');
    await pair.shows('Edit the message');
    await pair.type(' Take a spoon.');
    await pair.keys('Enter');
    await pair.shows('The stew is hot. Take a spoon.', '(edited)');
    await pair.hides('Edit the message');
    await pair.same('an edited message');
    await pair.keys('D');
    await pair.shows('Delete your message?');
    await pair.same('the question');
    await pair.keys('y');
    await pair.shows('(deleted by admin)');
    await pair.hides('Take a spoon.');
    await pair.same('a deleted message');
    await pair.each(async (_, { content: { owner } }) => {
      const deleted = (await owner.messages('kitchen')).find((message) => message.deleted_at);
      assert.deepEqual([deleted?.body, deleted?.deleted_by, deleted?.version], ['', 'admin', 2]);
    });
  });

  journey('is live, and counts what is unread', async (pair) => {
    await pair.open('#kitchen');
    await pair.shows('Write to #kitchen');
    await pair.each((_, { content: { bob } }) => bob.say({ channel: 'kitchen', body: 'The soup is ready.' }));
    await pair.shows('The soup is ready.');
    await pair.same('a new message');
    await pair.keys('g', 't');
    await pair.hides('Write to #kitchen');
    await pair.each((_, { content: { bob } }) =>
      bob.say({ channel: 'kitchen', body: '@admin It gets cold.' }),
    );
    await pair.shows('in #kitchen:');
    // It stays unread while another screen is shown, also when more happens.
    await pair.each(async (_, { content: { owner } }) => {
      const herald = await owner.agent('herald');
      await herald.say({ to: owner.name, body: 'Hello?' });
    });
    await pair.shows('1 message from @herald');
    await pair.shows('in #kitchen:');
    await pair.same('a mention');
    await pair.each(async (_, { content: { owner } }) => {
      const { channels } = await owner.get('/api/channels');
      const found = channels.find((/** @type {{ name: string }} */ { name }) => name === 'kitchen');
      assert.equal(found.mentions, 1, 'the mention was marked as read although nobody saw it');
    });
    await pair.keys('u');
    await pair.shows('It gets cold.');
  });
});

describe('a search', () => {
  journey('finds a message and goes to it', async (pair) => {
    await pair.keys('/');
    await pair.shows('Search');
    await pair.type('candidates');
    await pair.keys('Enter');
    await pair.shows('I found 3 candidates');
    await pair.same('the hits');
    await pair.keys('Enter');
    await pair.shows('Enter go to message');
    await pair.keys('Enter');
    await pair.shows('Write to @scout', 'I found 3 candidates');
    await pair.same('the message');
  });

  journey('without a hit says so', async (pair) => {
    await pair.keys('/');
    await pair.shows('Search');
    await pair.type('xylophone');
    await pair.keys('Enter');
    await pair.shows(/[Nn]o (message|match|hit|result)|[Nn]othing/);
    await pair.same('no hits');
  });
});

describe('a run', () => {
  journey('is watched while it writes, and cancelled', async (pair) => {
    await pair.each(async (_, { content: { owner } }) => {
      const { id } = await owner.post('/api/agents/ticker/run', {});
      await eventually(
        async () => (await owner.get(`/api/runs/${id}`)).run.status === 'running',
        () => 'the run does not begin',
      );
    });
    await pair.keys('g', 'r');
    await pair.shows('ticker');
    await pair.select('ticker');
    await pair.keys('Enter');
    await pair.shows('Log · live', 'tick 2');
    const ticks = (/** @type {string} */ screen) =>
      Math.max(...[...screen.matchAll(/tick (\d+)/g)].map((tick) => Number(tick[1])));
    await pair.each(async (terminal) => {
      const seen = ticks(await terminal.screen());
      await terminal.until((screen) => ticks(screen) >= seen + 3, 'the log goes on');
    });
    await pair.keys('x');
    await pair.shows('Cancel run #', 'Yes');
    await pair.keys('y');
    await pair.shows(/[Cc]ancelled/);
    await pair.hides('Log · live');
    await pair.each(async (_, { content: { owner } }) => {
      const { runs } = await owner.get('/api/runs?agent=ticker');
      assert.equal(runs[0].status, 'cancelled');
    });
  });

  journey('is started with a key, and its answer is read', async (pair) => {
    await pair.keys('g', 'a');
    await pair.shows('counter');
    await pair.select('counter');
    await pair.keys('n');
    await pair.shows('Enter accepts');
    await pair.type('Count the files.');
    await pair.keys('Enter');
    await pair.each((_, { content: { owner } }) =>
      eventually(
        async () => (await owner.get('/api/runs?agent=counter')).runs[0]?.status === 'succeeded',
        () => 'the run does not succeed',
      ),
    );
    await pair.keys('g', 'r');
    await pair.shows('counter', /[Ss]ucceeded/);
    await pair.select('counter');
    await pair.keys('Enter');
    await pair.shows('counting', '1,200 tokens in, 80 out');
    await pair.same('a run');
    await pair.keys('Right');
    await pair.shows('Exit code');
    await pair.same('the facts of a run');
    await pair.keys('G');
    await pair.shows('12 files.');
    await pair.same('the details of a run');
  });
});

describe('a goal', () => {
  journey('gets its proposed agent and a task approved', async (pair) => {
    await pair.keys('g', 'o');
    await pair.shows('Launch the shop');
    await pair.same('the goals');
    await pair.keys('Enter');
    await pair.shows('Choose products', 'price-checker');
    await pair.same('the goal');
    await pair.select('Ask suppliers');
    await pair.keys('a');
    await pair.shows('The task is approved.');
    await pair.select('price-checker');
    await pair.keys('Enter');
    await pair.shows('Compares the prices of suppliers');
    await pair.same('the proposal');
    await pair.keys('a');
    await pair.shows('The agent is approved.');
    await pair.same('the goal after the approvals');
    await pair.each(async (_, { content: { owner, goal } }) => {
      const { proposals, spawned_agents, tasks } = await owner.get(`/api/goals/${goal}`);
      assert.equal(proposals[0].status, 'approved');
      assert.equal(spawned_agents.length, 1);
      assert.equal(tasks[0].children[0].status, 'approved');
    });
  });
});

describe('an article', () => {
  const editor = path.join(import.meta.dirname, 'editor.mjs');
  /** @param {import('./pair.mjs').Side} side */
  const planOf = (side) => path.join(side.home.directory, 'plan.json');
  /** @param {import('./pair.mjs').Side} side @param {object[]} plan */
  const plan = (side, plan) => writeFileSync(planOf(side), JSON.stringify(plan));
  const env = (/** @type {import('./pair.mjs').Side} */ side) => ({
    EDITOR: `${process.execPath} ${editor} ${planOf(side)}`,
  });

  journey(
    'is edited in the editor of the person',
    async (pair) => {
      await pair.keys('g', 'w');
      await pair.shows('Deploy', 'Rollback');
      await pair.same('the wiki');
      await pair.select('Rollback');
      await pair.keys('Enter');
      await pair.shows('Stop the machine.');
      await pair.same('the article');
      sides.forEach((side) => plan(side, [{ append: '3. Tell everybody.\n' }]));
      await pair.keys('E');
      await pair.shows('Tell everybody.', 'Saved as revision 2.');
      await pair.same('the article after the editor');

      // An editor that fails changes nothing.
      sides.forEach((side) => plan(side, [{ fails: true }]));
      await pair.keys('E');
      await pair.shows('ended with an error, so nothing was changed');
      await pair.same('the article after an editor that failed');

      // Somebody else changes another line meanwhile.
      sides.forEach((side) => {
        const body =
          '# Rollback\n\nSee [[deploy]].\n\n1. Stop the machine.\n2. Restore the data.\n3. Tell everybody.\n';
        const save = saveOf(side, 'rollback', 2, body.replace('See', 'Read'));
        plan(side, [{ save, append: '4. Rest.\n' }]);
      });
      await pair.keys('E');
      await pair.shows('merged with a change of somebody else', 'Read', '4. Rest.');
      await pair.same('the article after a merge');
    },
    { env },
  );

  journey(
    'that somebody else has saved meanwhile is a conflict, which is resolved in the editor',
    async (pair) => {
      await pair.keys('g', 'w');
      await pair.shows('Deploy', 'Rollback');
      await pair.select('Deploy');
      await pair.keys('Enter');
      await pair.shows('make deploy');
      sides.forEach((side) => {
        const body =
          '# Deploy\n\nRun `theirs`, then see [[rollback]].\n\n## Checks\n\n- [x] tests\n- [ ] metrics\n';
        const save = saveOf(side, 'deploy', 1, body);
        const seen = path.join(side.home.directory, 'seen.md');
        plan(side, [
          { save, replace: ['make deploy', 'mine'] },
          { seen, whole: '# Deploy\n\nRun `both`, then see [[rollback]].\n' },
        ]);
      });
      await pair.keys('E');
      await pair.shows('Another change was saved first', '@bob, revision 2', 'theirs');
      await pair.same('a conflict');
      await pair.keys('Right');
      await pair.shows('Yours, from revision 1', 'mine');
      await pair.same('the other side of a conflict');
      await pair.keys('E');
      await pair.shows('Saved as revision 3.', 'both');
      await pair.same('the article after a conflict');
      for (const side of sides) {
        const seen = readFileSync(path.join(side.home.directory, 'seen.md'), 'utf8');
        assert.match(seen, /theirs/);
        assert.match(seen, /mine/);
        const { body } = await side.content.owner.get('/api/wiki/articles/deploy');
        assert.equal(body, '# Deploy\n\nRun `both`, then see [[rollback]].\n');
      }
    },
    { env },
  );

  /** The request with which bob saves an article. @param {import('./pair.mjs').Side} side @param {string} slug @param {number} base_revision @param {string} body */
  function saveOf({ content: { bob } }, slug, base_revision, body) {
    return {
      method: 'PUT',
      address: `${bob.origin}/api/wiki/articles/${slug}`,
      headers: { ...bob.headers, 'content-type': 'application/json' },
      body: { base_revision, body },
    };
  }
});
