import { expect, test } from 'vitest';
import { forgetRecent, Recent } from './recent.svelte';

function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test('the latest comes first, each once, and few are kept', () => {
  const box = storage();
  const recent = new Recent('ada', () => box);
  for (const id of ['/c/a', '/c/b', '/c/a']) recent.add(id);
  expect(recent.all).toEqual(['/c/a', '/c/b']);
  for (let index = 0; index < 20; index += 1) recent.add(`/c/${index}`);
  expect(recent.all).toHaveLength(8);
  expect(new Recent('ada', () => box).all).toEqual(recent.all);
  expect(new Recent('bob', () => box).all).toEqual([]);
});

test('nothing of it outlives a login, and nothing else is touched', () => {
  const box = storage();
  new Recent('ada', () => box).add('/c/a');
  new Recent('bob', () => box).add('/c/b');
  box.setItem('svc.theme', 'dark');
  forgetRecent(box);
  expect([...box.kept.keys()]).toEqual(['svc.theme']);
});

test('without storage it lasts as long as the page', () => {
  const recent = new Recent('ada', () => {
    throw new Error('forbidden');
  });
  recent.add('/c/a');
  expect(recent.all).toEqual(['/c/a']);
});
