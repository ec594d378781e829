import { expect, test } from 'vitest';
import { matching } from './matching';

const agents = [
  { name: 'reviewer', display_name: 'Code Reviewer' },
  { name: 'ops-bot', display_name: 'Night shift', paused_at: '2026-11-15T02:00:00.000Z' },
  { name: 'rogue', display_name: 'Rogue', quarantined_at: '2026-11-15T02:00:00.000Z' },
];
const names = (words: string, state = '') => matching(agents, words, state).map(({ name }) => name);

test('every word has to be in one of the names', () => {
  expect(names('')).toHaveLength(3);
  expect(names('CODE rev')).toEqual(['reviewer']);
  expect(names('night ops')).toEqual(['ops-bot']);
  expect(names('code ops')).toEqual([]);
});

test('a state narrows the list further', () => {
  expect(names('', 'paused')).toEqual(['ops-bot']);
  expect(names('', 'quarantined')).toEqual(['rogue']);
  expect(names('r', 'active')).toEqual(['reviewer']);
});
