import { expect, test } from 'vitest';
import { suggestionsFor } from './suggestions';

const all = [
  { value: 'bert', title: 'Ann’s helper' },
  { value: 'ann', title: 'Ann' },
  { value: 'joanna', title: 'Jo' },
  { value: 'zed', title: 'zed' },
];
const names = (typed: string, most?: number) => suggestionsFor(all, typed, most).map(({ value }) => value);

test('beginnings of handles come before those of names, and both before what is in the middle', () => {
  expect(names('ann')).toEqual(['ann', 'bert', 'joanna']);
  expect(names('@ANN')[0]).toBe('ann');
});

test('nothing typed offers the first ones, and nothing that fits none', () => {
  expect(names('', 2)).toEqual(['bert', 'ann']);
  expect(names('xyz')).toEqual([]);
});
