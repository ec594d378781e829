import { expect, test } from 'vitest';
import type { Message } from '../api/client';
import { message } from '../messages/sample';
import { kindOf, noticeOf, passesLevel } from './notice';

const nameOf = (handle: string) => (handle === 'bob' ? 'Bob Marsh' : handle);
const direct = (more: object) =>
  message(7, { channel: null, to: 'ada', from: 'bob', ...more } as unknown as Partial<Message>);
const system = (metadata: object) => direct({ from: 'system', from_kind: 'system', metadata });

test.each([
  [{ goal: { id: 1, waits: { tasks: [2] } } }, 'approval', '/goals/1', 'Your approval is needed'],
  [{ goal: { id: 1 } }, 'direct_message', '/dm/system?m=7', 'svc'],
  [{ goal: { id: 1, alert: 'budget' } }, 'budget', '/goals/1', 'Budget alert'],
  [{ secret_request: { id: 1 } }, 'approval', '/', 'Your approval is needed'],
  [{ secret_request: { id: 1, status: 'rejected' } }, 'direct_message', '/', 'svc'],
  [{ governance: { kind: 'budget_warned', agent: 'scout' } }, 'budget', '/agents/scout', 'Budget alert'],
  [
    { governance: { kind: 'quarantined', agent: 'scout' } },
    'quarantine',
    '/agents/scout',
    'An agent was quarantined',
  ],
  [{ run: { id: 3, error: 'exit_code' } }, 'failed_run', '/runs/3', 'A run failed'],
  [
    { webhook: { disabled_reason: 'gone', agent: 'scout' } },
    'webhook_disabled',
    '/agents/scout',
    'A webhook was disabled',
  ],
  [{}, 'direct_message', '/dm/system?m=7', 'svc'],
])('a message of the hub about %j is of the kind %s', (metadata, kind, url, title) => {
  expect(noticeOf(system(metadata), nameOf)).toMatchObject({ kind, url, title });
});

test('only the hub says what its messages are about', () => {
  const forged = direct({ metadata: { run: { id: 3, error: 'exit_code' } } });
  expect(kindOf(forged)).toBe('direct_message');
  expect(noticeOf(forged, nameOf).url).toBe('/dm/bob?m=7');
});

test('a direct message, a mention and a message in a channel', () => {
  const body = '**Look** at\n\n[this](https://example.org)';
  expect(noticeOf(direct({ body }), nameOf)).toMatchObject({
    title: 'Bob Marsh (@bob)',
    body: 'Look at this',
    tag: 'dm:bob',
    url: '/dm/bob?m=7',
    paths: ['/dm/bob', '/dm/bob'],
  });
  const mention = { mention: { channel: 'general', message_id: 5 } };
  expect(noticeOf(direct({ metadata: mention }), nameOf)).toMatchObject({
    kind: 'mention',
    title: 'Bob Marsh (@bob) mentioned you in #general',
    conversation: { kind: 'channel', name: 'general' },
    tag: 'channel:general',
    url: '/c/general?m=5',
  });
  expect(noticeOf(message(8, { from: 'eve' }), nameOf)).toMatchObject({
    kind: 'channel_message',
    title: '@eve in #general',
    url: '/c/general?m=8',
  });
  const proposed = message(9, { workflow_state: 'proposed' } as Partial<Message>);
  expect(noticeOf(proposed, nameOf)).toMatchObject({ kind: 'approval', tag: 'approval:9' });
});

test('levels let through what the settings say', () => {
  expect(passesLevel('channel_message', 'mentions')).toBe(false);
  expect(passesLevel('mention', 'mentions')).toBe(true);
  expect(passesLevel('approval', 'mentions')).toBe(true);
  expect(passesLevel('channel_message', 'all')).toBe(true);
  expect(passesLevel('mention', 'nothing')).toBe(false);
});
