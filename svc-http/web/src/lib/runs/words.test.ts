import { expect, test } from 'vitest';
import {
  causeInWords,
  countOf,
  durationOf,
  errorInWords,
  failureInWords,
  isOpen,
  isRefused,
  messageAddress,
  moneyOf,
  refusalInWords,
  spanOf,
  STATUSES,
  statusInWords,
} from './words';

test('a status is open, refused or the end of a run', () => {
  const open = STATUSES.filter(({ value }) => isOpen(value)).map(({ value }) => value);
  expect(open).toEqual(['queued', 'running']);
  const refused = STATUSES.filter(({ value }) => isRefused(value)).map(({ value }) => value);
  expect(refused).toHaveLength(6);
  for (const status of refused) expect(refusalInWords(status), status).toMatch(/\.$/);
});

test('an event that started no Job does not wait', () => {
  expect(refusalInWords('paused', 'event')).toContain('then retry.');
  expect(refusalInWords('paused')).toContain('The message waits');
  expect(causeInWords('event')).toBe('Event');
});

test('the failures of clusters are told with what to do', () => {
  const words = [
    ...['cluster_unavailable', 'cluster_forbidden', 'cluster_refused', 'image', 'evicted', 'job_deleted'],
    ...['backlog', 'handler_deleted'],
  ];
  for (const word of words) {
    const { title, text } = errorInWords(word);
    expect(title, word).not.toBe(word);
    // It stands beside a badge in lists.
    expect(title.length, word).toBeLessThanOrEqual(22);
    expect(text, word).toMatch(/\.$/);
  }
});

test('a cancelled run says why when the hub cancelled it', () => {
  expect(failureInWords({ status: 'cancelled', error: 'backlog' })?.title).toBe('Too many Jobs');
  expect(failureInWords({ status: 'cancelled', error: 'cancelled' })).toBeUndefined();
  expect(failureInWords({ status: 'failed', error: 'timeout' })?.title).toBe('Timed out');
  expect(failureInWords({ status: 'succeeded', error: null })).toBeUndefined();
});

test('what a newer server has is shown as it is', () => {
  expect(statusInWords('parked')).toEqual({ title: 'parked', tone: 'plain' });
  expect(errorInWords('meteor')).toEqual({ title: 'meteor', text: 'Check the log of the run.' });
});

test.each([
  [35, '35 ms'],
  [1_240, '1.2 s'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
  [-5, '0 ms'],
])('%d ms are %s', (milliseconds, words) => expect(spanOf(milliseconds)).toBe(words));

test('a run takes time from its start to its end, or to now', () => {
  const started_at = '2026-03-01T12:00:00Z';
  const now = Date.parse('2026-03-01T12:01:05Z');
  expect(durationOf({ started_at: null, ended_at: null }, now)).toBeUndefined();
  expect(durationOf({ started_at, ended_at: null }, now)).toBe('1 min 5 s');
  expect(durationOf({ started_at, ended_at: '2026-03-01T12:00:02Z' }, now)).toBe('2.0 s');
});

test('money and counts', () => {
  expect([0, 0.00002, 0.0042, 0.01, 0.025, 1.2, 100].map(moneyOf)).toEqual([
    ...['$0.00', 'under $0.0001', '$0.0042', '$0.01', '$0.025', '$1.20', '$100.00'],
  ]);
  expect([countOf(7), countOf(1204), countOf(1_234_567)]).toEqual(['7', '1,204', '1,234,567']);
});

test('a message is opened where it is read', () => {
  const letter = { id: 5, from: 'ada', to: 'bot', channel: null };
  expect(messageAddress(letter, 'bot', 'ada')).toBe('/dm/bot?m=5');
  expect(messageAddress({ ...letter, from: 'bot', to: 'ada' }, 'bot', 'ada')).toBe('/dm/bot?m=5');
  expect(messageAddress({ ...letter, from: 'scout' }, 'bot', 'ada')).toBe('/agents/bot/with/scout?m=5');
  expect(messageAddress({ ...letter, to: null, channel: 'a b' }, 'bot', 'ada')).toBe('/c/a%20b?m=5');
});
