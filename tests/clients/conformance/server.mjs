/** A server of the suites' own, with an agent in it, and a way to it for programs that send no key. */

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const programs = process.env.SVC_PROGRAMS;
if (!programs) throw new Error('SVC_PROGRAMS is not set: run scripts/client-journeys.');

/**
 * Starts a program and hands out its address, the key of an agent in it, and how to end it.
 * @param {string} program
 */
export async function serve(program) {
  const place = mkdtempSync(join(tmpdir(), 'svc-'));
  const env = {
    ...process.env,
    SVC_DATA: join(place, 'data'),
    SVC_ADMIN_SOCKET: join(place, 'admin.sock'),
    SVC_BCRYPT_COST: '4',
    SVC_RATE_LIMIT_READ: '0',
    SVC_RATE_LIMIT_WRITE: '0',
    // The scenarios make many mistakes on purpose.
    SVC_LOG_LEVEL: 'error,rmcp=off',
  };
  const server = spawn(join(programs, program), ['--data', join(place, 'data'), '--listen', '127.0.0.1:0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill();
    await ended;
    rmSync(place, { recursive: true, force: true });
  };
  let url;
  for await (const line of createInterface({ input: server.stdout })) {
    url = /^svc is listening on (.*)$/.exec(line)?.[1];
    if (url) break;
  }
  if (!url) throw new Error(`${program} ended before it was ready`);
  server.stdout.resume();
  /** @param {string[]} words @param {string} [input] */
  const admin = (words, input) =>
    JSON.parse(
      execFileSync(join(programs, 'svc-admin'), ['--output', 'json', ...words], {
        env,
        input,
        encoding: 'utf8',
      }),
    );
  admin(['users', 'create', 'ann', '--password-stdin'], 'a password for the journeys\n');
  const { key } = admin(['agents', 'create', 'judged', '--owner', 'ann']);
  return { url, key, stop };
}

/**
 * Adds the key to whatever is sent to its address. Everything else goes through as it came, the names of
 * hosts and origins too, by which some scenarios judge.
 * @param {{ url: string, key: string }} server
 */
export async function proxy({ url, key }) {
  const { hostname, port } = new URL(url);
  const between = createServer((asked, answer) => {
    const { method, url: path } = asked;
    const headers = { ...asked.headers, authorization: `Bearer ${key}` };
    const onward = request({ hostname, port, method, path, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answer.flushHeaders();
      answered.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise((resolve) => between.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = between.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    stop: () => between.closeAllConnections() || between.close(),
  };
}
