/** The UI and the terminal itself: any size, hostile texts, large pastes, sudden ends, no colours. On the server of the script. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Hub, program } from './hub.mjs';
import { eventually, Home, Terminal } from './terminal.mjs';

const hub = Hub.shared();
const home = new Home();
/** @type {import('./hub.mjs').Caller} */
let owner;
/** @type {import('./hub.mjs').Caller} */
let bob;
/** @type {Terminal[]} */
let terminals = [];

before(async () => {
  owner = await hub.logIn();
  bob = await hub.person('bob');
  for (const name of ['kitchen', 'ops', 'mail'])
    await owner.post('/api/channels', { name, members: ['bob'] });
  await bob.say({
    channel: 'kitchen',
    body: 'Soup at noon? **Bold**, `code` and [a link](https://example.org).',
  });
});
afterEach(async () => {
  await Promise.all(terminals.map((terminal) => terminal.close()));
  terminals = [];
});
after(() => home.remove());

/** @param {string[]} argv @param {Parameters<typeof Terminal.start>[1]} [options] */
async function run(argv, { env = {}, ...size } = {}) {
  const terminal = await Terminal.start(argv, { ...size, env: { ...home.variables, ...env } });
  terminals.push(terminal);
  return terminal;
}

/** Logs in if that is asked for, and waits for the first screen. @param {Terminal} terminal */
async function enter(terminal) {
  if ((await terminal.shows(/● live|Username/)).includes('Username')) {
    await terminal.type(hub.username);
    await terminal.keys('Tab');
    await terminal.type(hub.password);
    await terminal.keys('Enter');
  }
  await terminal.shows('● live');
  // The palette offers the conversations that are known.
  await terminal.keys('g', 'c');
  await terminal.shows('#general', 'join or write');
  await terminal.keys('Tab');
  await terminal.hides('join or write');
  return terminal;
}

/** The UI. @param {Parameters<typeof Terminal.start>[1]} [options] */
const start = async (options) => enter(await run([program(), '--url', hub.origin], options));

/** The UI, started from a shell. @param {string} [before] */
async function startFromShell(before = '') {
  const terminal = await run(['bash', '--norc', '--noprofile'], { env: { PS1: 'shell> ' } });
  await terminal.shows('shell>');
  await terminal.type(`echo first; ${before}${program()} --url ${hub.origin}`);
  await terminal.keys('Enter');
  await enter(terminal);
  return terminal;
}

/** @param {Terminal} terminal @param {string} text */
async function open(terminal, text) {
  await terminal.keys('C-k');
  await terminal.shows('╭ Go to ─');
  await terminal.type(text);
  await terminal.keys('Enter');
  await terminal.shows(`Write to ${text}`);
}

/** The process of the UI below a shell. @param {Terminal} terminal */
async function below(terminal) {
  const shell = await terminal.pid();
  const children = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(/\s+/);
  assert.equal(children.length, 1, `the shell has the children ${children}`);
  return Number(children[0]);
}

/** The shell has its terminal back, as it was. @param {Terminal} terminal */
async function assertUsable(terminal) {
  await terminal.shows('first', 'shell>');
  await eventually(
    async () =>
      (await terminal.fact('alternate_on')) === '0' && (await terminal.fact('mouse_any_flag')) === '0',
    async () => `the terminal is not given back:\n${await terminal.screen()}`,
  );
  assert.equal(await terminal.fact('cursor_flag'), '1', 'the cursor is visible');
  await terminal.type('echo "us"able');
  await terminal.shows('echo "us"able');
  await terminal.keys('Enter');
  await terminal.shows(/^usable$/m);
  // A paste is typed as it is: without marks.
  await terminal.paste('echo pas"ted"');
  await terminal.shows('shell> echo pas"ted"');
  await terminal.keys('Enter');
  await terminal.shows(/^pasted$/m);
}

describe('a window', () => {
  const screens = ['t', 'b', 'a', 'r', 'o', 'w', 'd', 'm', 'c'];
  test('of any size is drawn, and comes back as it was', async () => {
    const terminal = await start();
    await open(terminal, '#kitchen');
    await terminal.shows('Soup at noon?');
    const whole = await terminal.screen();
    for (const [columns, rows] of [
      [20, 5],
      [1, 1],
      [140, 40],
      [1, 50],
      [200, 1],
      [80, 24],
    ]) {
      assert.ok(columns && rows);
      await terminal.resize(columns, rows);
      await eventually(
        async () =>
          (await terminal.fact('pane_width')) === String(columns) &&
          (await terminal.fact('pane_height')) === String(rows),
        () => `the window is not ${columns}x${rows}`,
      );
    }
    await terminal.until((screen) => screen === whole, `the screen is as before:\n${whole}`);
  });

  for (const [columns, rows] of [
    [20, 5],
    [1, 1],
  ]) {
    test(`of ${columns}x${rows} takes the keys of every screen`, async () => {
      const terminal = await start();
      assert.ok(columns && rows);
      await terminal.resize(columns, rows);
      for (const letter of screens) {
        await terminal.keys('g', letter, 'j', 'k', 'Enter', '?', 'Enter', 'C-k', 'Enter', 'Tab', 'Tab');
      }
      await terminal.resize(80, 24);
      await terminal.keys('g', 't');
      await terminal.keys('C-k');
      await terminal.shows('╭ Go to ─', '● live');
    });
  }

  test('may be that small at the start, and for the login', async () => {
    const empty = new Home();
    try {
      for (const [columns, rows] of [
        [20, 5],
        [1, 1],
      ]) {
        assert.ok(columns && rows);
        const terminal = await run([program(), '--url', hub.origin], { columns, rows, env: empty.variables });
        await eventually(
          async () => (await terminal.fact('alternate_on')) === '1',
          () => 'the form is not drawn',
        );
        await terminal.resize(80, 24);
        await terminal.shows('Log in', 'Password');
        await terminal.keys('C-c');
        assert.equal(await terminal.ended(), 0);
      }
    } finally {
      empty.remove();
    }
  });
});

describe('a text of somebody else', () => {
  test('never controls the terminal', async () => {
    const attack =
      'a\x1b[2Jb\x1b]0;owned\x07c\x9b31md\x1b[41me\x1b]52;c;b3duZWQ=\x07f\x1b[?1049lg\x08\x7f\rh \u202ei \x1bPq#0\x1b\\';
    const mark = 'the end of the attack';
    await bob.say({
      channel: 'ops',
      body: `${attack}\n\n\`\`\`sh\n${attack}\n\`\`\`\n\n${mark}`,
    });
    await bob.say({ to: owner.name, subject: 'A letter', body: attack });
    await bob.call('PATCH', '/auth/me', { display_name: 'Bob owned' });
    const terminal = await start();
    const title = await terminal.fact('pane_title');
    await open(terminal, '#ops');
    await terminal.shows(mark);
    for (const keys of [['t'], ['Escape'], ['g', 't'], ['g', 'b']]) {
      await terminal.keys(...keys);
      await terminal.shows('● live');
    }
    await terminal.keys('g', 's');
    await terminal.type('owned');
    await terminal.keys('Enter');
    await terminal.shows('● live', /owned/);
    await open(terminal, '#ops');
    await terminal.shows(mark);
    assert.equal(await terminal.fact('pane_title'), title);
    assert.equal(await terminal.fact('alternate_on'), '1');
    const colours = await terminal.colours();
    assert.ok(!/\x1b\[(?:[\d;]*;)?(?:4[0-7]|48;[\d;]*)m/.test(colours), 'there is a background colour');
    assert.ok(
      !/[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]/.test(colours),
      'there are control characters',
    );
    // All that remains are styles: the rest would have been interpreted by the terminal.
    assert.ok(!/\x1b(?!\[[\d;]*m)/.test(colours));
    assert.equal(await terminal.copied(), '', 'something was copied');
  });
});

describe('a paste', () => {
  test('of 64 KiB and many lines is one message', async () => {
    const line = 'a line of the middle, with words\n';
    const begin = 'the first line\n';
    const end = 'the last line';
    const text = begin + line.repeat(Math.floor((65_536 - begin.length - end.length) / line.length)) + end;
    const terminal = await start();
    await open(terminal, '#mail');
    await terminal.shows('No messages yet.');
    await terminal.keys('i');
    await terminal.shows('Enter send');
    await terminal.paste(text);
    await terminal.shows(end);
    await terminal.keys('Enter');
    await terminal.hides('sending …');
    await terminal.shows(end, '● live');
    const messages = await eventually(
      async () => {
        const found = await owner.messages('mail');
        return found.length > 0 && found;
      },
      () => 'nothing was sent',
    );
    assert.equal(messages.length, 1);
    assert.ok(messages[0].body === text, `${messages[0].body.length} instead of ${text.length} characters`);
  });

  test('with the ends of lines of other systems is one message too', async () => {
    const terminal = await start();
    await open(terminal, '#mail');
    await terminal.shows('a line of the middle');
    await terminal.keys('i');
    await terminal.shows('Enter send');
    await terminal.paste('one\r\ntwo\rthree\n');
    await terminal.shows('three');
    await terminal.keys('Enter');
    await eventually(
      async () => (await owner.messages('mail')).some((message) => message.body === 'one\ntwo\nthree'),
      async () => `there is ${JSON.stringify((await owner.messages('mail')).at(-1)?.body.slice(0, 100))}`,
    );
  });

  test('outside of a field is no command', async () => {
    const terminal = await start();
    await open(terminal, '#kitchen');
    await terminal.paste('qq\nq\n');
    await terminal.keys('?');
    await terminal.shows('Everywhere');
  });
});

describe('the end', () => {
  test('with q gives the terminal back', async () => {
    const terminal = await startFromShell();
    await terminal.keys('q');
    await assertUsable(terminal);
  });

  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP', 'SIGINT'])) {
    test(`with ${signal} gives the terminal back`, async () => {
      const terminal = await startFromShell();
      process.kill(await below(terminal), signal);
      await assertUsable(terminal);
    });
  }

  test('with kill -9 gives the terminal back', async () => {
    const terminal = await startFromShell();
    assert.equal(await terminal.fact('alternate_on'), '1');
    assert.equal(await terminal.fact('mouse_any_flag'), '1');
    process.kill(await below(terminal), 'SIGKILL');
    await assertUsable(terminal);
  });

  test('with kill -9 in the form for the login gives the terminal back', async () => {
    const empty = new Home();
    try {
      const terminal = await run(['bash', '--norc', '--noprofile'], {
        env: { ...empty.variables, PS1: 'shell> ' },
      });
      await terminal.shows('shell>');
      await terminal.type(`echo first; ${program()} --url ${hub.origin}`);
      await terminal.keys('Enter');
      await terminal.shows('Username');
      process.kill(await below(terminal), 'SIGKILL');
      await assertUsable(terminal);
    } finally {
      empty.remove();
    }
  });

  test('leaves no process behind', async () => {
    const terminal = await startFromShell();
    const pid = await below(terminal);
    const guards = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(/\s+/)
      .filter(Boolean);
    process.kill(pid, 'SIGKILL');
    await assertUsable(terminal);
    for (const guard of guards) {
      await eventually(
        () => {
          try {
            process.kill(Number(guard), 0);
            return false;
          } catch {
            return true;
          }
        },
        () => `the guard ${guard} does not end`,
      );
    }
  });
});

describe('colours', () => {
  test('are those of the terminal, and none of them a background', async () => {
    const terminal = await start();
    await open(terminal, '#kitchen');
    await terminal.shows('Soup at noon?');
    const colours = await terminal.colours();
    assert.match(colours, /\x1b\[(?:[\d;]*;)?(?:3[1-7]|38;5;(?:\d|1[0-5]))m/);
    assert.ok(
      !/\x1b\[[\d;]*(?:38;5;(?!(?:\d|1[0-5])[;m])|38;2|48;|4[0-7]m|10[0-7]m)/.test(colours),
      'there are colours beyond the 16 of the terminal',
    );
  });

  test('are not used with NO_COLOR', async () => {
    const terminal = await start({ env: { NO_COLOR: '1' } });
    for (const letter of ['t', 'b', 'a', 'r', 'o', 'w', 'd', 'm', 'c']) {
      await terminal.keys('g', letter);
      await terminal.shows('● live');
      await terminal.hides('Loading …');
      const colours = await terminal.colours();
      assert.ok(
        !/\x1b\[(?:[\d;]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\d;]*)?m/.test(colours),
        `g ${letter}:\n${colours}`,
      );
    }
    await open(terminal, '#kitchen');
    assert.ok(
      !/\x1b\[(?:[\d;]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\d;]*)?m/.test(await terminal.colours()),
    );
  });
});

describe('without a terminal', () => {
  /** @param {string[]} words */
  const outcome = (...words) =>
    promisify(execFile)('bash', ['-o', 'pipefail', '-c', words.join(' ')], {
      env: { PATH: process.env['PATH'], ...home.variables },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
    );

  test('there is a sentence and the exit code 2', async () => {
    for (const rest of ['< /dev/null', '| cat']) {
      const { code, stdout, stderr } = await outcome(program(), '--url', hub.origin, rest);
      assert.equal(code, 2, rest);
      assert.match(stderr, /^svc-tui: Standard input and output must be a terminal: .*\.$/m);
      assert.equal(stdout, '');
    }
  });

  test('help and version are printed', async () => {
    const help = await outcome(program(), '--help');
    assert.equal(help.code, 0);
    assert.match(help.stdout, /--data/);
    assert.match(help.stdout, /Examples:/);
    const version = await outcome(program(), '--version');
    assert.match(version.stdout, /^svc-tui \d+\.\d+/);
  });

  test('unknown and contradictory arguments are refused', async () => {
    const both = await outcome(program(), '--url', hub.origin, '--data', hub.data);
    assert.equal(both.code, 2);
    assert.match(both.stderr, /Both a URL and a store/);
    assert.equal((await outcome(program(), '--nonsense')).code, 2);
    const missing = await outcome(program(), '--data', '/nonexistent', 'logout');
    assert.notEqual(missing.code, null);
  });
});
