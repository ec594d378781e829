/** Another validator of the registry's published schema, held against the hub's own verdicts. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import { origin, programs } from './hub.mjs';

const COUNT = 10_000;

/** The schema as the server publishes it. */
async function published() {
  const answer = await fetch(new URL('/contracts/v1/machine-principal-registry.schema.json', origin));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/schema+json');
  return answer.json();
}

test(`ajv and the hub agree on ${COUNT} registries`, async () => {
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(await published());
  const mutants = spawn(join(programs, 'examples/registry_mutants'), [String(COUNT)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => mutants.once('exit', resolve));
  const counts = { all: 0, fit: 0, taken: 0 };
  for await (const line of createInterface({ input: mutants.stdout })) {
    const { document, fits_schema, is_taken } = JSON.parse(line);
    assert.equal(validate(JSON.parse(document)), fits_schema, document);
    assert.ok(fits_schema || !is_taken, document);
    counts.all += 1;
    counts.fit += Number(fits_schema);
    counts.taken += Number(is_taken);
  }
  assert.equal(await ended, 0);
  assert.equal(counts.all, COUNT);
  // Both verdicts are common enough to mean something.
  assert.ok(counts.fit > COUNT / 5 && counts.fit < (COUNT * 4) / 5, JSON.stringify(counts));
  assert.ok(counts.taken > COUNT / 5 && counts.taken < counts.fit, JSON.stringify(counts));
});
