/**
 * The official conformance suite for MCP, its stable line and its newest, for both generations of the
 * protocol: all scenarios pass where the fixtures are, and those that need none pass on the server as it is.
 *
 * Scenarios of extensions (tasks, skills) are not run: the suite runs those for servers that offer them.
 */

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { proxy, serve } from './server.mjs';

const packages = fileURLToPath(new URL('node_modules', import.meta.url));
/** The suites need a newer Node.js than clients do. */
const node = Number.parseInt(process.versions.node) >= 22 ? process.execPath : join(packages, '.bin/node');

/** Each line of the suite with each generation that it knows, and how many scenarios that has at least. */
const ALL = [
  { line: 'conformance-stable', words: ['--suite', 'all'], scenarios: 32 },
  {
    line: 'conformance-newest',
    words: ['--suite', 'all', '--spec-version', '2025-11-25'],
    scenarios: 33,
  },
  {
    line: 'conformance-newest',
    words: ['--suite', 'all', '--spec-version', '2026-07-28'],
    scenarios: 40,
  },
];

/** Checks, by scenario and name, that ask for a fixture, or for the log that an agent has no use for. */
const NEEDS_FIXTURES = new RegExp(
  '^(' +
    [
      'tools-call-',
      'prompts-get-',
      'resources-(read|templates-read|subscribe|unsubscribe)',
      'elicitation-',
      'input-required-result-',
      'json-schema-',
      'completion-',
      'logging-',
      'http-custom-header-',
      'server-sse-polling/',
      // These call a diagnostic tool, which is a fixture.
      'server-stateless/sep-2575-http-server-no-independent-requests-on-stream',
      'server-stateless/sep-2575-server-no-log-without-loglevel',
      'server-stateless/sep-2575-(server-rejects-undeclared-capability|missing-capability-http-400)',
    ].join('|') +
    ')',
);

/**
 * Runs a line; every check passes, but for those that are excused.
 * @param {{ line: string, words: string[], scenarios: number }} run
 * @param {string} url
 * @param {(check: string) => boolean} excused
 */
async function judge({ line, words, scenarios: wanted }, url, excused = () => false) {
  const results = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const program = join(packages, line, 'dist/index.js');
    const child = spawn(node, [program, 'server', '--url', url, '--output-dir', results, ...words]);
    let told = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (told += piece));
    await new Promise((resolve) => child.once('close', resolve));
    const faults = [];
    const scenarios = await readdir(results);
    for (const directory of scenarios) {
      const [, scenario] = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(directory) ?? [];
      const checks = JSON.parse(await readFile(join(results, directory, 'checks.json'), 'utf8'));
      for (const { id, status, errorMessage } of checks) {
        // What is recommended is asked for too.
        const failed = status === 'FAILURE' || status === 'WARNING';
        if (failed && !excused(`${scenario}/${id}`)) faults.push({ scenario, id, errorMessage });
      }
    }
    assert.deepEqual(faults, []);
    assert.ok(scenarios.length >= wanted, `only ${scenarios.length} scenarios were run: ${told}`);
  } finally {
    await rm(results, { recursive: true });
  }
}

/**
 * Serves a program for the tests of a suite.
 * @param {string} program
 */
function served(program) {
  /** @type {any} */
  const place = {};
  before(async () => {
    const server = await serve(program);
    Object.assign(place, { server, between: await proxy(server) });
  });
  after(async () => {
    place.between?.stop();
    await place.server?.stop();
  });
  return place;
}

describe('with the fixtures', () => {
  const place = served('examples/conformance_server');
  for (const run of ALL) {
    test(`${run.line} ${run.words.join(' ')}`, () => judge(run, place.between.url));
  }
});

describe('as it is', () => {
  const place = served('svc-http');
  for (const run of ALL) {
    test(`${run.line} ${run.words.join(' ')}`, () =>
      judge(run, place.between.url, (check) => NEEDS_FIXTURES.test(check)));
  }

  test('a server that nobody asked for fixtures has none', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const response = await fetch(place.between.url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }),
    });
    const { result } = await response.json();
    const names = result.tools.map((/** @type {{ name: string }} */ tool) => tool.name);
    assert.ok(names.includes('my_status'));
    assert.deepEqual(
      names.filter((/** @type {string} */ name) => /^(test|json_schema)_/.test(name)),
      [],
    );
  });

  test('what is shipped is built without them', () => {
    const words = ['tree', '--locked', '--package', 'svc-http', '--edges', 'features,no-dev'];
    const tree = execFileSync('cargo', words, { encoding: 'utf8' });
    assert.match(tree, /svc-mcp feature "http"/);
    assert.doesNotMatch(tree, /fixtures/);
  });
});
