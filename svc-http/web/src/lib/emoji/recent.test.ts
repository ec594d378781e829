import { expect, test } from 'vitest';
import { keepRecent, MOST_RECENT, recentEmoji } from './emoji.svelte';

function storage(first?: string) {
  let kept: string | null = first ?? null;
  return () => ({ getItem: () => kept, setItem: (_: string, value: string) => void (kept = value) });
}

test('the latest comes first, once, within a bound', () => {
  const place = storage();
  for (const text of ['a', 'b', 'a']) keepRecent(text, place);
  expect(recentEmoji(place)).toEqual(['a', 'b']);
  for (let number = 0; number < 50; number += 1) keepRecent(String(number), place);
  expect(recentEmoji(place)).toHaveLength(MOST_RECENT);
});

test.each(['{', '{}', '[1, {}]', '"x"'])('%s is nothing', (text) => {
  expect(recentEmoji(storage(text))).toEqual([]);
});

test('a browser that forbids storage remembers nothing', () => {
  const forbidden = () => {
    throw new Error('forbidden');
  };
  keepRecent('a', forbidden);
  expect(recentEmoji(forbidden)).toEqual([]);
});
