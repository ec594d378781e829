import { expect, test } from 'vitest';
import { MOST_SAVED, readSaved, SavedSearches } from './saved.svelte';

function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test('searches are kept under the account, the latest first, each once', () => {
  const box = storage();
  const saved = new SavedSearches('ada', () => box);
  for (const typed of ['deploy', 'in:ops', 'deploy']) saved.save(typed);
  expect(saved.all).toEqual(['deploy', 'in:ops']);
  expect(new SavedSearches('ada', () => box).all).toEqual(['deploy', 'in:ops']);
  expect(new SavedSearches('bob', () => box).all).toEqual([]);
});

test('of too many the oldest goes, and an empty search is none', () => {
  const saved = new SavedSearches('ada', storage);
  saved.save('');
  expect(saved.all).toEqual([]);
  const box = storage();
  const many = new SavedSearches('ada', () => box);
  for (let index = 0; index <= MOST_SAVED; index += 1) many.save(`word${index}`);
  expect(many.all).toHaveLength(MOST_SAVED);
  expect(many.has('word0')).toBe(false);
});

test('the last one that is removed leaves nothing behind', () => {
  const box = storage();
  const saved = new SavedSearches('ada', () => box);
  saved.save('deploy');
  saved.remove('deploy');
  expect(saved.all).toEqual([]);
  expect(box.kept.size).toBe(0);
});

test('two tabs keep what both have saved', () => {
  const box = storage();
  const [one, other] = [new SavedSearches('ada', () => box), new SavedSearches('ada', () => box)];
  one.save('a');
  other.save('b');
  expect(other.all).toEqual(['b', 'a']);
});

test('without storage they last as long as the page', () => {
  const saved = new SavedSearches('ada', () => {
    throw new Error('forbidden');
  });
  saved.save('deploy');
  expect(saved.all).toEqual(['deploy']);
});

test.each(['', 'x', '{}', '[1, null, {}]', '["a"'])('%j in the storage is harmless', (text) =>
  expect(readSaved(text)).toEqual([]),
);
