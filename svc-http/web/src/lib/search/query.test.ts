import { describe, expect, test } from 'vitest';
import {
  isEmpty,
  NO_SEARCH,
  readAddress,
  readTyped,
  withFilter,
  withoutFilter,
  writeAddress,
  writeTyped,
} from './query';

describe('what is typed', () => {
  test.each([
    ['deploy "build failed" -flaky pre*', { q: 'deploy "build failed" -flaky pre*' }],
    ['deploy in:ops', { q: 'deploy', channel: ['ops'] }],
    ['in:#ops,-noise from:@builder', { channel: ['ops', '-noise'], agent: ['builder'] }],
    ['-in:noise -from:scout x', { q: 'x', channel: ['-noise'], agent: ['-scout'] }],
    ['has:attachment,mention is:proposed', { has: ['attachment', 'mention'], state: ['proposed'] }],
    [
      'status:failed after:2026-11-01 before:2026-11-15T02:00:00Z sort:newest',
      {
        status: ['failed'],
        after: '2026-11-01',
        before: '2026-11-15T02:00:00Z',
        sort: 'newest',
      },
    ],
    // Not filters: an address, a time, a filter without a value, one that cannot be turned around.
    ['https://example.org 12:30 in: -has:mention', { q: 'https://example.org 12:30 in: -has:mention' }],
    // Inside quotes everything is text, also when the quotes are never closed.
    ['"in:ops now"', { q: '"in:ops now"' }],
    ['"in:ops now', { q: '"in:ops now' }],
  ])('%s', (text, expected) => expect(readTyped(text, NO_SEARCH)).toEqual({ ...NO_SEARCH, ...expected }));

  test('filters that are there stay, and a new question begins at its first page', () => {
    const before = { ...NO_SEARCH, q: 'old', channel: ['ops'], page: 4 };
    expect(readTyped('new from:bot', before)).toEqual({
      ...NO_SEARCH,
      q: 'new',
      channel: ['ops'],
      agent: ['bot'],
    });
  });

  test('a channel is either in or out', () => {
    const search = withFilter(withFilter(NO_SEARCH, 'channel', 'ops'), 'channel', '-Ops');
    expect(search.channel).toEqual(['-Ops']);
    expect(withoutFilter(search, 'channel', '-Ops')).toEqual(NO_SEARCH);
  });
});

test('an address keeps everything', () => {
  const search = readTyped(
    'a "b c" in:x,-y from:z has:reaction is:done status:done after:2026-01-01 sort:newest',
    {
      ...NO_SEARCH,
    },
  );
  const third = { ...search, page: 3 };
  expect(readAddress(new URLSearchParams(writeAddress(third)))).toEqual(third);
});

test.each([
  ['in:ops deploy from:@builder', { q: 'deploy', channel: ['ops'], agent: ['builder'] }],
  ['has:attachment is:done', { has: ['attachment'], state: ['done'] }],
  ['before:2026-02-01 after:2026-01-01 x', { q: 'x', before: '2026-02-01', after: '2026-01-01' }],
  ['"in:ops" -word', { q: '"in:ops" -word' }],
])('%s in the words of an address is what it is when typed', (q, expected) => {
  expect(readAddress(new URLSearchParams({ q }))).toEqual({ ...NO_SEARCH, ...expected });
});

test('filters of an address and those among its words are one search, on its page', () => {
  const query = new URLSearchParams({ q: 'x in:ops', channel: '-noise', page: '3' });
  expect(readAddress(query)).toEqual({ ...NO_SEARCH, q: 'x', channel: ['-noise', 'ops'], page: 3 });
});

test.each([
  'deploy "build failed" in:ops -in:noise from:bot has:mention is:done after:2026-01-01 sort:newest',
  '',
])('what is written as typed reads as the same search: %j', (text) => {
  const search = readTyped(text, NO_SEARCH);
  expect(readTyped(writeTyped(search), NO_SEARCH)).toEqual(search);
});

test('odd addresses are harmless', () => {
  expect(readAddress(new URLSearchParams('page=-3&channel=,,&q='))).toEqual(NO_SEARCH);
  expect(readAddress(new URLSearchParams('page=1.5')).page).toBe(1);
});

test('an order alone asks for nothing', () => {
  expect(isEmpty({ ...NO_SEARCH, sort: 'newest' })).toBe(true);
  expect(isEmpty({ ...NO_SEARCH, has: ['mention'] })).toBe(false);
});
