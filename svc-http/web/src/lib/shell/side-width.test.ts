import { expect, test } from 'vitest';
import { afterKey, keepWidth, NARROWEST, readWidth, USUAL, WIDEST, withinBounds } from './side-width';

test('a width stays within its bounds', () => {
  expect([withinBounds(10), withinBounds(300.4), withinBounds(9_000)]).toEqual([NARROWEST, 300, WIDEST]);
});

test.each([
  ['ArrowRight', 264],
  ['ArrowLeft', 232],
  ['Home', NARROWEST],
  ['End', WIDEST],
  ['Enter', USUAL],
  ['x', undefined],
  ['constructor', undefined],
])('%s leads to %s', (key, width) => expect(afterKey(key, USUAL)).toBe(width));

test('a width is kept, the usual one is not', () => {
  const kept = new Map<string, string>();
  const storage = () => ({
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  keepWidth(300, storage);
  expect(readWidth(storage)).toBe(300);
  keepWidth(USUAL, storage);
  expect(kept.size).toBe(0);
  kept.set('svc.side-width', 'wide');
  expect(readWidth(storage)).toBe(USUAL);
});
