import { expect, test } from 'vitest';
import { bytesOf, code, insert, link, prefixLines, wrap, type Edit } from './format';

/** Bars stand for the ends of the selection. */
function edit(text: string): Edit {
  const from = text.indexOf('|');
  const to = text.lastIndexOf('|') - 1;
  return { text: text.replaceAll('|', ''), from, to: Math.max(from, to) };
}
function shown({ text, from, to }: Edit): string {
  return `${text.slice(0, from)}|${text.slice(from, to)}|${text.slice(to)}`;
}

test.each([
  ['a |word| b', 'a **|word|** b'],
  ['a **|word|** b', 'a |word| b'],
  ['||', '**||**'],
])('bold turns %s into %s', (before, after) => expect(shown(wrap(edit(before), '**'))).toBe(after));

test.each([
  ['one\n|two\nthree|', 'one\n- |two\n- three|'],
  ['- |two\n- three|', '|two\nthree|'],
])('a list turns %j into %j', (before, after) => expect(shown(prefixLines(edit(before), '- '))).toBe(after));

test('code is a span on one line and a block on several', () => {
  expect(shown(code(edit('run |make|')))).toBe('run `|make|`');
  expect(shown(code(edit('see |a\nb|')))).toBe('see \n```\n|a\nb|\n```');
});

test('a link selects its address', () => {
  expect(shown(link(edit('see |docs| now')))).toBe('see [docs](|https://|) now');
});

test('size is counted in bytes', () => expect(bytesOf('aé🦊')).toBe(7));

test.each([
  ['||', '🎉||'],
  ['well done||!', 'well done 🎉||!'],
  ['a |b| c', 'a 🎉|| c'],
])('an emoji turns %s into %s', (before, after) => expect(shown(insert(edit(before), '🎉'))).toBe(after));

test('a text that is inserted replaces the selection', () => {
  const before: Edit = { text: 'Dear all. Bye', from: 10, to: 13 };
  expect(insert(before, 'Thanks!')).toEqual({ text: 'Dear all. Thanks!', from: 17, to: 17 });
});
