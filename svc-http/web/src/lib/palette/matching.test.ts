import { expect, test } from 'vitest';
import { findEntries } from './matching';

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
