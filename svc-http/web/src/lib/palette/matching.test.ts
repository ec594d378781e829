import { expect, test } from 'vitest';
import { findEntries, findGroups } from './matching';

const entries = [
  { title: 'operations' },
  { title: 'dev-ops' },
  { title: 'ops' },
  { title: 'Settings', also: 'password profile' },
  { title: 'cops and robbers' },
];
const titles = (query: string) => findEntries(entries, query).map(({ title }) => title);

test('the exact name comes first, then beginnings of words, then the middle', () => {
  expect(titles('ops')).toEqual(['ops', 'dev-ops', 'cops and robbers']);
});

test('all words must be there, in any order', () => {
  expect(titles('robbers cops')).toEqual(['cops and robbers']);
  expect(titles('robbers police')).toEqual([]);
});

test('other words lead there too', () => {
  expect(titles('passw')).toEqual(['Settings']);
});

test('nothing asked gives everything in its order', () => {
  expect(titles('  ')[0]).toBe('operations');
  expect(titles('')).toHaveLength(5);
});

const entry = (
  id: string,
  group: 'Channels' | 'People' | 'Actions' | 'Messages',
  title = id,
  isFound = false,
) => ({
  id,
  group,
  title,
  isFound,
});
const all = [
  entry('/c/ops', 'Channels', '#ops'),
  entry('/c/ops-night', 'Channels', '#ops-night'),
  entry('/dm/opsie', 'People', 'opsie'),
  entry('/dm/zoe', 'People', 'zoe'),
  entry('stop', 'Actions', 'Stop the ops'),
];
const groups = (query: string, recent: string[] = [], more: typeof all = []) =>
  findGroups([...all, ...more], query, recent).map(
    ({ name, entries }) => `${name}: ${entries.map(({ id }) => id).join(' ')}`,
  );

test('while nothing is asked, what was open of late comes first and stands there once', () => {
  expect(groups('', ['/dm/zoe', '/gone', '/c/ops'])).toEqual([
    'Recent: /dm/zoe /c/ops',
    'Channels: /c/ops-night',
    'People: /dm/opsie',
    'Actions: stop',
  ]);
});

test('the group with the best match comes first', () => {
  expect(groups('zoe')).toEqual(['People: /dm/zoe']);
  expect(groups('opsie')[0]).toBe('People: /dm/opsie');
  expect(groups('stop')[0]).toBe('Actions: stop');
});

test('what was open of late comes before others that match as well', () => {
  expect(groups('#ops', [])[0]).toBe('Channels: /c/ops /c/ops-night');
  expect(groups('ops', ['/c/ops-night'])).toContain('Channels: /c/ops-night /c/ops');
});

test('what the server has found stands below, whatever its words', () => {
  const more = [entry('message/1', 'Messages', 'Quite another text', true)];
  expect(groups('ops', [], more).at(-1)).toBe('Messages: message/1');
});
