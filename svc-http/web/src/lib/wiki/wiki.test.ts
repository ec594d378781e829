import { describe, expect, test } from 'vitest';
import { completeLink, linkCandidates, linkTriggerAt, searchWords } from './completion';
import { linesInWords, oneColumn, sideBySide } from './diff-rows';
import { readRange } from './history.svelte';
import { queryOf } from './home.svelte';
import { isSlug, newAddress, slugOf, slugProblem, titleOf } from './slug';
import type { DiffLine } from './types';
import { sizeChangeInWords } from './words';

describe('a slug', () => {
  test.each([
    ['How we deploy, v2!', 'how-we-deploy-v2'],
    ['  Über uns ', 'ber-uns'],
    ['目標', ''],
    ['--', ''],
    ['a'.repeat(200), 'a'.repeat(100)],
  ])('is derived from %j as the server does it', (title, slug) => expect(slugOf(title)).toBe(slug));

  test('that ends in a hyphen where it is cut off loses it', () => {
    expect(slugOf(`${'a'.repeat(99)} b`)).toBe('a'.repeat(99));
  });

  test.each(['a', '-a', 'a-', 'A b', '', 'a_b', 'a'.repeat(101)])('%j is none', (text) => {
    expect(isSlug(text)).toBe(false);
    expect(slugProblem(text)).toBeDefined();
  });

  test('has a title and an address', () => {
    expect(titleOf('on-call-rota')).toBe('On call rota');
    expect(newAddress('on-call')).toBe('/wiki/-/new?slug=on-call');
  });
});

const line = (kind: DiffLine['kind'], number: number): DiffLine => ({
  kind,
  old_line: kind === 'added' ? null : number,
  new_line: kind === 'removed' ? null : number,
  parts: [{ text: `${kind} ${number}`, changed: false }],
});
const names = (lines: readonly (DiffLine | undefined)[]) =>
  lines.map((one) => one?.parts.map(({ text }) => text).join(''));

describe('a difference', () => {
  const lines = [
    line('equal', 1),
    line('removed', 2),
    line('removed', 3),
    line('added', 2),
    line('equal', 4),
    line('added', 4),
    line('removed', 5),
  ];

  test('has what was removed beside what came in its place', () => {
    const rows = sideBySide(lines);
    expect(names(rows.map(({ left }) => left))).toEqual([
      'equal 1',
      'removed 2',
      'removed 3',
      'equal 4',
      undefined,
      'removed 5',
    ]);
    expect(names(rows.map(({ right }) => right))).toEqual([
      'equal 1',
      'added 2',
      undefined,
      'equal 4',
      'added 4',
      undefined,
    ]);
  });

  test('in one column has each line once', () => {
    expect(names(oneColumn(lines))).toEqual([
      'equal 1',
      'removed 2',
      'removed 3',
      'added 2',
      'equal 4',
      'removed 5',
      'added 4',
    ]);
    expect(oneColumn([])).toEqual([]);
    expect(sideBySide([])).toEqual([]);
  });

  test('says which lines it is about', () => {
    expect(linesInWords(lines)).toBe('Lines 1–5');
    expect(linesInWords([line('added', 3)])).toBe('Line 3');
    expect(linesInWords([])).toBe('Changes');
  });

  test.each([
    ['from=2&to=5', { from: 2, to: 5 }],
    ['from=0&to=1', { from: 0, to: 1 }],
    ['from=5&to=2', undefined],
    ['from=x&to=2', undefined],
    ['', undefined],
  ])('is asked for by %s', (query, range) => expect(readRange(new URLSearchParams(query))).toEqual(range));

  test('of sizes is in words', () => {
    expect([120, -1, 0].map(sizeChangeInWords)).toEqual(['+120 bytes', '−1 byte', 'no change in size']);
  });
});

describe('a link that is being typed', () => {
  test.each([
    ['see [[dep|', 'dep'],
    ['[[|', ''],
    ['[[How we d|', 'How we d'],
    ['[[deploy|x]] [[on|', 'on'],
  ])('is seen in %j', (text, query) => {
    const caret = text.lastIndexOf('|');
    expect(linkTriggerAt(text.slice(0, caret), caret)?.query).toBe(query);
  });

  test.each(['[[deploy]]', '[deploy', '`[[dep', '```\n[[dep', '[[a\nb', '[[slug|text'])(
    'is not seen in %j',
    (text) => {
      expect(linkTriggerAt(text, text.length)).toBeUndefined();
    },
  );

  test('is completed, with the brackets that are there already', () => {
    const trigger = { query: 'dep', from: 4, to: 9 };
    expect(completeLink('see [[dep now', trigger, 'deploy')).toEqual({
      text: 'see [[deploy]] now',
      caret: 14,
    });
    expect(completeLink('see [[dep]] now', trigger, 'deploy').text).toBe('see [[deploy]] now');
  });

  test('finds beginnings before other places, and words in any order', () => {
    const all = [
      { slug: 'rollback', title: 'Undo a deploy' },
      { slug: 'deploy', title: 'How we deploy' },
      { slug: 'deploy', title: 'How we deploy' },
      { slug: 'on-call', title: 'On call' },
    ];
    expect(linkCandidates(all, 'dep').map(({ slug }) => slug)).toEqual(['deploy', 'rollback']);
    expect(linkCandidates(all, 'deploy how').map(({ slug }) => slug)).toEqual(['deploy']);
    expect(linkCandidates(all, '')).toHaveLength(3);
  });
});

test.each([
  ['run-book dep', 'run book dep*'],
  ['a', 'a'],
  [' …! ', ''],
])('%j is searched as %j', (typed, words) => expect(searchWords(typed)).toBe(words));

test.each([
  ['deploy', 'deploy*'],
  ['"push the button" x', '"push the button" x'],
  ['deploy -old', 'deploy -old'],
  ['run-book', 'run book*'],
  ['  ', ''],
])('the search box asks for %j as %j', (typed, words) => expect(queryOf(typed)).toBe(words));
