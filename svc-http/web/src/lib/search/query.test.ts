import { describe, expect, test } from 'vitest';
import { isEmpty, NO_SEARCH, readAddress, readTyped, withFilter, withoutFilter, writeAddress } from './query';

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

test('odd addresses are harmless', () => {
  expect(readAddress(new URLSearchParams('page=-3&channel=,,&q='))).toEqual(NO_SEARCH);
  expect(readAddress(new URLSearchParams('page=1.5')).page).toBe(1);
});

test('an order alone asks for nothing', () => {
  expect(isEmpty({ ...NO_SEARCH, sort: 'newest' })).toBe(true);
  expect(isEmpty({ ...NO_SEARCH, has: ['mention'] })).toBe(false);
});
