import { expect, test } from 'vitest';
import { candidatesFor, complete, triggerAt, type Candidate } from './completion';

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
])('%s names something', (text, sign, query) => {
  expect(at(text)).toMatchObject({ sign, query });
});

test.each(['ada@home|', 'no sign|', '@ada |', '`@ada|', '```\n@ada|', 'http://x/#frag|'])(
  '%s names nothing',
  (text) => {
    expect(at(text)).toBeUndefined();
  },
);

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
