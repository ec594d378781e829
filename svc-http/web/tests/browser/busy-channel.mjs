/** A channel as one finds it after a busy day: people's and agents' messages, code, lists, pictures, answers. */

import assert from 'node:assert/strict';
import { unique } from './cast.mjs';
import { picture } from './picture.mjs';
import { serverOrigin } from './visit.mjs';

const MESSAGES = 200;
const PICTURE_EVERY = 25;
const CODE_EVERY = 7;
const LIST_EVERY = 11;
const ANSWER_EVERY = 13;

const SENTENCES = [
  'The nightly build is green again; the flaky test waited for a port that another one had taken.',
  'Could you look at the migration before noon? It adds an index to a table that grows.',
  'Done.',
  'The figures of last week are in: **12 %** fewer retries, and no message was lost.',
  'I have moved the rollout to tomorrow, because `svc-admin backup` is still running. See #general for the reason.',
];
const CODE = [
  'This is what fails:',
  '',
  '```rust',
  'fn next(&mut self) -> Option<Message> {',
  '    let message = self.queue.pop_front()?;',
  '    self.offered.insert(message.id);',
  '    Some(message)',
  '}',
  '```',
].join('\n');
const LIST = [
  'What is left:',
  '',
  '1. read the [notes](/docs)',
  '2. try it with *two* agents',
  '3. tell @admin',
].join('\n');

/**
 * Makes the channel with three agents in it and gives its name.
 *
 * @param {string} cookie of a person who is logged in
 */
export async function makeBusyChannel(cookie) {
  const asPerson = { cookie, origin: serverOrigin() };
  /** @type {{ name: string, headers: Record<string, string> }[]} */
  const speakers = [{ name: 'me', headers: asPerson }];
  for (const word of ['builder', 'reviewer', 'scribe']) {
    const name = unique(word);
    const { key } = await post('/api/agents', { name, display_name: word }, asPerson);
    speakers.push({ name, headers: { authorization: `Bearer ${key}` } });
  }
  const channel = unique('busy');
  await post(
    '/api/channels',
    { name: channel, members: speakers.slice(1).map(({ name }) => name) },
    asPerson,
  );

  let latest = 0;
  for (let number = 1; number <= MESSAGES; number += 1) {
    // Whoever speaks mostly says a few things in a row.
    const speaker = speakers[Math.floor(number / 3) % speakers.length];
    assert.ok(speaker);
    const { id } = await post(
      '/api/messages',
      {
        channel,
        body: bodyOf(number),
        ...(number % ANSWER_EVERY === 0 ? { reply_to: latest } : {}),
        ...(number % PICTURE_EVERY === 0 ? { attachments: [await upload(number, speaker.headers)] } : {}),
      },
      speaker.headers,
    );
    latest = id;
  }
  return channel;
}

/** @param {number} number */
function bodyOf(number) {
  if (number % CODE_EVERY === 0) return CODE;
  if (number % LIST_EVERY === 0) return LIST;
  const length = 1 + (number % 3);
  return Array.from({ length }, (_, index) => SENTENCES[(number + index) % SENTENCES.length]).join(' ');
}

/**
 * @param {number} number
 * @param {Record<string, string>} headers
 */
async function upload(number, headers) {
  const form = new FormData();
  form.append('file', new Blob([picture(800 + number, 450)], { type: 'image/png' }), `plot-${number}.png`);
  const response = await fetch(`${serverOrigin()}/api/attachments`, { method: 'POST', headers, body: form });
  assert.ok(response.ok, `the upload was answered with ${response.status}: ${await response.clone().text()}`);
  return (await response.json()).hash;
}

/**
 * @param {string} address
 * @param {object} body
 * @param {Record<string, string>} headers
 */
async function post(address, body, headers) {
  const response = await fetch(`${serverOrigin()}${address}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${address} answered with ${response.status}: ${await response.clone().text()}`);
  return response.json();
}
