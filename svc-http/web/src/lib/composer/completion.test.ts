import { expect, test } from 'vitest';
import { readList } from '../emoji/list';
import { candidatesFor, closedShortcode, complete, emojiFor, triggerAt, type Candidate } from './completion';

/** The bar stands for the caret. */
function at(text: string) {
  const caret = text.indexOf('|');
  return triggerAt(text.replace('|', ''), caret);
}

test.each([
  ['@|', '@', ''],
  ['hi @bui|', '@', 'bui'],
  ['hi @bui| there', '@', 'bui'],
  ['see #gen|', '#', 'gen'],
  ['(@ada|', '@', 'ada'],
  ['line\n@ada|', '@', 'ada'],
  ['well done :tad|', ':', 'tad'],
  [':+1|', ':', '+1'],
])('%s names something', (text, sign, query) => {
  expect(at(text)).toMatchObject({ sign, query });
});

test.each([
  'ada@home|',
  'no sign|',
  '@ada |',
  '`@ada|',
  '```\n@ada|',
  'http://x/#frag|',
  'at 12:30|',
  ':t|',
  'a :tada:|',
  'x:tada|',
  '`:tada|',
])('%s names nothing', (text) => {
  expect(at(text)).toBeUndefined();
});

test('after a closed code span names are completed again', () => {
  expect(at('`code` @ada|')).toMatchObject({ query: 'ada' });
});

const all: Candidate[] = [
  { name: 'rebuild', title: 'rebuild', kind: 'agent' },
  { name: 'build-bot', title: 'Build bot', kind: 'agent' },
  { name: 'ada', title: 'Builder Ada', kind: 'human' },
  { name: 'builds', title: 'builds', kind: 'channel' },
];

test('people and agents for @, channels for #, best first', () => {
  const names = (text: string) => candidatesFor(all, at(text)!).map(({ name }) => name);
  expect(names('@build|')).toEqual(['build-bot', 'ada', 'rebuild']);
  expect(names('#build|')).toEqual(['builds']);
  expect(names('@nobody|')).toEqual([]);
});

test('the name replaces what was typed and a space follows', () => {
  const text = 'hi @bui and so on';
  expect(complete(text, triggerAt(text, 7)!, 'build-bot')).toEqual({
    text: 'hi @build-bot and so on',
    caret: 14,
  });
  expect(complete('@b', triggerAt('@b', 2)!, 'build-bot')).toEqual({ text: '@build-bot ', caret: 11 });
});

const EMOJI = readList(':activities\n🎉 tada party\n🎊 confetti\n:people\n👍 +1 thumbsup *\n');

test('a shortcode is completed to its emoji', () => {
  const found = emojiFor(EMOJI, at(':par|')!);
  expect(found).toEqual([{ name: '🎉', title: ':party:', kind: 'emoji' }]);
  expect(complete('yes :par', triggerAt('yes :par', 8)!, '🎉')).toEqual({ text: 'yes 🎉 ', caret: 7 });
});

test('a shortcode that is written to its end is known', () => {
  const text = 'yes :tada:';
  expect(closedShortcode(text, text.length)).toEqual({ sign: ':', query: 'tada', from: 4, to: 10 });
  expect(closedShortcode('12:30:', 6)).toBeUndefined();
  expect(closedShortcode(':tada', 5)).toBeUndefined();
});
