/** Takes pictures of every screen in two sizes and two themes: `node pictures.mjs FOLDER`, run by scripts/terminal-pictures. */

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fill } from './content.mjs';
import { page, THEMES } from './html.mjs';
import { Hub, program } from './hub.mjs';
import { eventually, Home, Terminal } from './terminal.mjs';

const { chromium } = createRequire(path.resolve(import.meta.dirname, '../../svc-http/web/package.json'))(
  'playwright-core',
);

const folder = process.argv[2];
assert.ok(folder, 'the folder for the pictures is missing');
mkdirSync(folder, { recursive: true });

const hub = Hub.shared();
const home = new Home();

/**
 * Keys that lead to a screen, each group after the text before it is there: the name, then keys and texts in turns. An
 * array is keys by their names, a string is typed, and a pattern is waited for.
 *
 * @type {[string, ...(string[] | string | RegExp)[]][]}
 */
const SCREENS = [
  ['today', ['g', 't'], /price-checker/],
  ['conversations', ['g', 'c'], /Direct messages/],
  ['conversation', ['C-k'], /╭ Go to ─/, '#kitchen', ['Enter'], /Write to #kitchen/, /日本語/],
  ['thread', ['g', 'g'], ['t'], /Thread in #kitchen/, /With bread/],
  [
    'composer',
    ['t'],
    ['i'],
    /Enter send/,
    'Hello @bo',
    ['Tab'],
    'and 日本',
    ['M-Enter'],
    'second line',
    /second line/,
  ],
  ['conversation-help', ['Escape'], /i write/, ['?'], /Everywhere/],
  ['reactions', ['Enter'], ['e'], /claim \(in progress\)/],
  ['workflow', ['Escape'], /i write/, ['C-k'], /╭ Go to ─/, '#ops', ['Enter'], /Rotate the keys/],
  ['direct', ['C-k'], /╭ Go to ─/, '@scout', ['Enter'], /candidates/],
  ['board', ['g', 'b'], /Rotate the keys/],
  ['search', ['g', 's'], /Search/, 'soup', ['Enter'], /Soup at noon/],
  ['search-hits', ['Enter'], /Enter go to message/],
  ['agents', ['g', 'a'], /ticker/],
  ['runs', ['g', 'r'], /counter/],
  ['run', ['Enter'], /counting/],
  ['run-details', ['Right'], /Exit code/],
  ['goals', ['g', 'o'], /Launch the shop/],
  ['goal', ['Enter'], /price-checker/],
  ['goal-task', ['j'], ['Enter'], /Ask suppliers|Choose products/],
  ['wiki', ['Escape'], ['g', 'w'], /Rollback/],
  ['article', ['Enter'], /revision 1/],
  ['dead-letters', ['g', 'd'], /[Dd]ead letter/],
  ['machines', ['g', 'm'], /[Mm]achine/],
  ['palette', ['C-k'], /╭ Go to ─/],
  ['palette-search', 'run', /Runs of/],
];

/** @type {{ name: string, columns: number, rows: number, screen: string }[]} */
const taken = [];

/** @param {Terminal} terminal @param {string} name @param {{ columns: number, rows: number }} size */
async function take(terminal, name, { columns, rows }) {
  const screen = await terminal.until((screen) => !screen.includes('Loading …'));
  taken.push({ name, columns, rows, screen: await terminal.colours() });
  writeFileSync(path.join(String(folder), `${name}-${columns}x${rows}.txt`), `${screen}\n`);
}

/** @param {{ columns: number, rows: number }} size */
async function visit(size) {
  const terminal = await Terminal.start([program(), '--url', hub.origin], { ...size, env: home.variables });
  try {
    if ((await terminal.shows(/● live|Username/)).includes('Username')) {
      await terminal.type(hub.username);
      await terminal.shows(hub.username);
      await take(terminal, 'login', size);
      await terminal.keys('Tab');
      await terminal.type('wrong');
      await terminal.keys('Enter');
      await terminal.until((screen) => !screen.includes('•') && !screen.includes('Logging in'));
      await take(terminal, 'login-refused', size);
      await terminal.type(hub.password);
      await terminal.keys('Enter');
    }
    await terminal.shows('● live');
    for (const [name, ...steps] of SCREENS) {
      try {
        for (const step of steps) {
          if (Array.isArray(step)) await terminal.keys(...step);
          else if (typeof step === 'string') await terminal.type(step);
          else await terminal.shows(step);
        }
      } catch (error) {
        console.error(
          `${name} at ${size.columns}x${size.rows}: ${error instanceof Error ? error.message : error}`,
        );
        process.exitCode = 1;
        await terminal.keys('Escape');
      }
      await take(terminal, name, size);
    }
  } finally {
    await terminal.close();
  }
}

const { owner } = await fill(hub);
await owner.post('/api/agents/counter/run', {});
await eventually(
  async () => (await owner.get('/api/runs?agent=counter')).runs[0]?.status === 'succeeded',
  () => 'the run does not succeed',
);
try {
  for (const size of [
    { columns: 80, rows: 24 },
    { columns: 140, rows: 40 },
  ]) {
    await visit(size);
  }
} finally {
  home.remove();
}

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
try {
  const tab = await browser.newPage({ deviceScaleFactor: 1.5 });
  for (const { name, screen, ...size } of taken) {
    for (const [theme, colours] of Object.entries(THEMES)) {
      await tab.setContent(page(screen, { theme: colours, ...size }));
      const place = path.join(folder, `${name}-${size.columns}x${size.rows}-${theme}.png`);
      const pre = tab.locator('pre');
      const box = await pre.boundingBox();
      await tab.setViewportSize({ width: Math.ceil(box.width) + 16, height: Math.ceil(box.height) + 16 });
      await tab.screenshot({ path: place });
    }
  }
} finally {
  await browser.close();
}
console.log(`${taken.length * 2} pictures are in ${folder}`);
