/** The API's description, judged by Redocly's linter with its recommended rules. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { origin } from './hub.mjs';

const run = promisify(execFile);
const LINTER = join(import.meta.dirname, 'node_modules/@redocly/cli/bin/cli.js');

test('the description passes the recommended rules', async () => {
  const answer = await fetch(new URL('/openapi.json', origin));
  const place = await mkdtemp(join(tmpdir(), 'svc-description-'));
  try {
    const file = join(place, 'openapi.json');
    await writeFile(file, await answer.text());
    // Away from any configuration, and with nothing reported elsewhere.
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = [
      LINTER,
      'lint',
      file,
      '--extends',
      'recommended',
      '--format',
      'json',
      '--max-problems',
      '50',
    ];
    const { stdout } = await run(process.execPath, args, { cwd: place, env }).catch((failed) => failed);
    const { totals, problems } = JSON.parse(stdout);
    const list = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
    );
    assert.equal(totals.errors + totals.warnings, 0, list.join('\n'));
  } finally {
    await rm(place, { recursive: true });
  }
});
