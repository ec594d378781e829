import { expect, test } from 'vitest';
import { durationOf, intervalInWords, newest, outcomeOf, type Backup } from './backups';

const MADE: Backup = {
  started_at: '2026-11-15T02:00:00.000Z',
  ended_at: '2026-11-15T02:03:20.000Z',
  to: '/backups/svc',
  name: 'svc-0f61d5a4-20261115T020000000Z.tar.zst',
  rows: 12,
  files: 1,
  size: 4096,
};

test('what became of a backup', () => {
  expect(outcomeOf(MADE)).toBe('kept');
  expect(outcomeOf({ ...MADE, removed_at: '2026-11-16T02:00:00.000Z' })).toBe('removed');
  expect(outcomeOf({ ...MADE, to: null, name: null })).toBe('taken');
  expect(outcomeOf({ ...MADE, name: null, error: 'The disk is full.' })).toBe('failed');
});

test('an interval is told in its largest whole unit', () => {
  expect(intervalInWords(86_400)).toBe('every day');
  expect(intervalInWords(7 * 86_400)).toBe('every 7 days');
  expect(intervalInWords(6 * 3_600)).toBe('every 6 hours');
  expect(intervalInWords(90 * 60)).toBe('every 90 minutes');
  expect(intervalInWords(61)).toBe('every 61 seconds');
});

test('how long it took', () => {
  expect(durationOf(MADE)).toBe('3 minutes');
  expect(durationOf({ ...MADE, ended_at: MADE.started_at })).toBe('less than a second');
  expect(durationOf({ ...MADE, ended_at: '2026-11-15T01:00:00.000Z' })).toBe('less than a second');
});

test('a long list is cut', () => {
  expect(newest(Array.from({ length: 30 }, () => MADE))).toHaveLength(10);
});
