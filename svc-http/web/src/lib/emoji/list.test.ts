import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bestName, named, readList, search, spoken } from './list';

const LIST = new URL('../../../../../svc-model/src/emoji/emoji.txt', import.meta.url);
const categories = readList(readFileSync(LIST, 'utf8'));

test('every category has emoji, and each emoji has names', () => {
  expect(categories.map(({ name }) => name)[0]).toBe('smileys');
  for (const { emoji } of categories) {
    expect(emoji.length).toBeGreaterThan(5);
    for (const { text, names } of emoji) {
      expect(text).toMatch(/\p{Emoji}/u);
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(name).toMatch(/^[a-z0-9_+-]+$/);
    }
  }
});

test('shortcodes name emoji', () => {
  expect(named(categories, 'tada')?.text).toBe('🎉');
  expect(named(categories, '+1')?.text).toBe('👍');
  expect(named(categories, 'flag_de')?.text).toBe('🇩🇪');
  expect(named(categories, '*')).toBeUndefined();
});

test('the best comes first', () => {
  const texts = (query: string) => search(categories, query, 8).map(({ text }) => text);
  expect(texts('rocket')[0]).toBe('🚀');
  expect(texts('tad')[0]).toBe('🎉');
  expect(texts('thumbs up')[0]).toBe('👍');
  expect(texts('germany')[0]).toBe('🇩🇪');
  expect(texts('')).toEqual([]);
  expect(texts('no such thing')).toEqual([]);
  expect(search(categories, 'a', 8)).toHaveLength(8);
});

test('the name that fits is shown', () => {
  const party = named(categories, 'tada')!;
  expect(bestName(party, 'party')).toBe('party');
  expect(bestName(party, 'nothing')).toBe('tada');
  expect(spoken({ text: '', names: ['ok_hand'] })).toBe('ok hand');
});
