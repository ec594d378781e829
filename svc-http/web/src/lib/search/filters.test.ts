import { expect, test } from 'vitest';
import { chipsOf, contraryOf, valueText, without } from './filters';
import { NO_SEARCH, readTyped } from './query';

const texts = (typed: string) =>
  chipsOf(readTyped(typed, NO_SEARCH)).flatMap(({ text }) => (text === undefined ? [] : [text]));

test('there is one chip for each kind of filter, used or not', () => {
  expect(chipsOf(NO_SEARCH).map(({ title }) => title)).toEqual(
    'In From Has State Status Date Order'.split(' '),
  );
  expect(texts('words only')).toEqual([]);
});

test.each([
  ['in:ops', 'in #ops'],
  ['-in:ops', 'not in #ops'],
  ['in:ops,dev -in:noise', 'in #ops, #dev, not #noise'],
  ['from:@bot', 'from @bot'],
  ['is:in_progress', 'state in progress'],
  ['after:2026-01-01 before:2026-02-01', 'after 2026-01-01, before 2026-02-01'],
  ['after:soon', 'after soon'],
  ['sort:newest', 'newest first'],
])('%s is told as %s', (typed, text) => expect(texts(typed)).toEqual([text]));

test('a chip is taken out whole', () => {
  const search = readTyped('x in:a,b after:2026-01-01 before:2026-02-01 sort:newest', NO_SEARCH);
  expect(without(search, 'channel').channel).toEqual([]);
  expect(without({ ...search, page: 3 }, 'date')).toMatchObject({ after: '', before: '', page: 1, q: 'x' });
  expect(without(search, 'sort').sort).toBe('');
});

test('the contrary of the contrary is the value', () => {
  expect(contraryOf(contraryOf('ops'))).toBe('ops');
  expect(valueText('channel', contraryOf('ops'))).toBe('not #ops');
});
