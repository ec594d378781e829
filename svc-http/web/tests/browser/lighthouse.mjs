/**
 * What Lighthouse thinks of the login, a busy channel, the front page and the search on the server that SVC_URL names:
 * the median of several runs. It has two hundred packages of its own, so npm fetches it for the occasion. The machine
 * should have nothing else to do.
 *
 *     npm run lighthouse -- [--desktop] [--runs=3] [--keep=folder] [address…]
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeBusyChannel } from './busy-channel.mjs';
import { credentials } from './journeys.mjs';
import { serverOrigin } from './visit.mjs';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const TIMES = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
};
/** The least score by category. What is opened first and most has to be at its best. */
const BAR = { performance: 95, accessibility: 95, 'best-practices': 95 };
const LOWER_BAR = { ...BAR, performance: 90 };

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    desktop: { type: 'boolean', default: false },
    runs: { type: 'string', default: '3' },
    keep: { type: 'string' },
  },
});
const runs = Number(options.runs);
assert.ok(Number.isInteger(runs) && runs > 0, '--runs must be a number of runs');

const origin = serverOrigin();
const cookie = await logIn();
const addresses = positionals.length > 0 ? positionals : await usualAddresses();
const folder = options.keep ?? (await mkdtemp(path.join(tmpdir(), 'svc-lighthouse-')));
mkdirSync(folder, { recursive: true });

/** @type {Record<string, string | number>[]} */
const table = [];
/** @type {string[]} */
const failures = [];
for (const address of addresses) {
  const reports = Array.from({ length: runs }, (_, run) => measure(address, run));
  const scores = Object.fromEntries(
    CATEGORIES.map((category) => [
      category,
      Math.round(100 * median(reports.map(({ categories }) => categories[category].score ?? 0))),
    ]),
  );
  const times = Object.fromEntries(
    Object.entries(TIMES).map(([short, audit]) => [
      short,
      Number(
        median(reports.map(({ audits }) => audits[audit].numericValue)).toFixed(short === 'CLS' ? 3 : 0),
      ),
    ]),
  );
  table.push({ address, ...scores, ...times });
  const bar = /^\/(login$|c\/)/.test(address) ? BAR : LOWER_BAR;
  for (const [category, least] of Object.entries(bar)) {
    const score = scores[category] ?? 0;
    if (score < least) failures.push(`${address}: ${category} is ${score}, at least ${least} is wanted`);
  }
}
console.log(`Median of ${runs}, ${options.desktop ? 'desktop' : 'phone'}; times in milliseconds`);
console.table(Object.fromEntries(table.map(({ address, ...row }) => [address, row])));
console.log(`Reports: ${folder}`);
for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exitCode = 1;

async function logIn() {
  const response = await fetch(`${origin}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(credentials()),
  });
  assert.ok(response.ok, `the login answered with ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
}

async function usualAddresses() {
  return ['/login', `/c/${await makeBusyChannel(cookie)}`, '/', '/search'];
}

/**
 * @param {string} address
 * @param {number} run
 */
function measure(address, run) {
  const name = address.replaceAll(/[^\w-]+/g, '_');
  const file = path.join(folder, `${name}-${options.desktop ? 'desktop' : 'phone'}-${run}.json`);
  const headers = address === '/login' ? {} : { Cookie: cookie };
  execFileSync(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      `${origin}${address}`,
      '--output=json',
      `--output-path=${file}`,
      '--quiet',
      `--only-categories=${CATEGORIES.join(',')}`,
      ...(options.desktop ? ['--preset=desktop'] : []),
      '--chrome-flags=--headless --no-sandbox --disable-gpu',
      `--extra-headers=${JSON.stringify(headers)}`,
    ],
    {
      env: { CHROME_PATH: '/usr/bin/chromium', ...process.env },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const report = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal(report.runtimeError, undefined, JSON.stringify(report.runtimeError));
  // A page that sends the browser elsewhere would be measured instead.
  assert.equal(new URL(report.finalDisplayedUrl).pathname, address.split('?')[0]);
  return report;
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
