/**
 * What Lighthouse thinks of the login and of a channel on the server that SVC_URL names. It has two hundred
 * packages of its own, so npm fetches it for the occasion; the machine should have nothing else to do.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { credentials } from './journeys.mjs';
import { serverOrigin } from './visit.mjs';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const LEAST = 0.95;

const origin = serverOrigin();
const response = await fetch(`${origin}/auth/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin },
  body: JSON.stringify(credentials()),
});
assert.ok(response.ok, `the login answered with ${response.status}`);
const cookie = response.headers
  .getSetCookie()
  .map((one) => one.split(';')[0])
  .join('; ');

let failed = false;
for (const { address, headers } of [
  { address: '/login', headers: {} },
  { address: '/c/general', headers: { Cookie: cookie } },
]) {
  const report = JSON.parse(
    execFileSync(
      'npx',
      [
        '--yes',
        LIGHTHOUSE,
        `${origin}${address}`,
        '--output=json',
        '--quiet',
        '--only-categories=performance,accessibility,best-practices',
        '--chrome-flags=--headless --no-sandbox --disable-gpu',
        `--extra-headers=${JSON.stringify(headers)}`,
      ],
      {
        encoding: 'utf8',
        env: { CHROME_PATH: '/usr/bin/chromium', ...process.env },
        maxBuffer: 64 * 1024 * 1024,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ),
  );
  for (const { title, score } of Object.values(report.categories)) {
    console.log(`${address} ${title}: ${Math.round(score * 100)}`);
    if (score < LEAST) failed = true;
  }
}
if (failed) process.exitCode = 1;
