import { expect, test } from 'vitest';
import { readInline, readProse } from './prose';

const text = (value: string) => ({ kind: 'text', text: value });

test('paragraphs are parted by blank lines and joined over single ones', () => {
  expect(readProse('One\ntwo.\r\n\r\nThree.')).toEqual([
    { kind: 'paragraph', content: [text('One two.')] },
    { kind: 'paragraph', content: [text('Three.')] },
  ]);
});

test('lists, headings and code are told apart', () => {
  expect(readProse('# Title\nIntro:\n- a\n  goes on\n- b\n1. c\n```json\n- {}\n\n```\nEnd')).toEqual([
    { kind: 'heading', content: [text('Title')] },
    { kind: 'paragraph', content: [text('Intro:')] },
    { kind: 'list', ordered: false, items: [[text('a goes on')], [text('b')]] },
    { kind: 'list', ordered: true, items: [[text('c')]] },
    { kind: 'code', text: '- {}\n' },
    { kind: 'paragraph', content: [text('End')] },
  ]);
});

test('code that is never closed goes to the end', () => {
  expect(readProse('```\na')).toEqual([{ kind: 'code', text: 'a' }]);
});

test('inline marks are understood', () => {
  expect(readInline('Use `a*b*` or **this**, *that*, [docs](/docs).')).toEqual([
    text('Use '),
    { kind: 'code', text: 'a*b*' },
    text(' or '),
    { kind: 'strong', text: 'this' },
    text(', '),
    { kind: 'emphasis', text: 'that' },
    text(', '),
    { kind: 'link', text: 'docs', href: '/docs' },
    text('.'),
  ]);
});

test.each(['[x](javascript:alert(1))', '[x](//evil.test)', '[x](data:text/html,1)', '<b>x</b>', '2 * 3 * 4'])(
  '%s stays text',
  (source) => {
    expect(readInline(source).every(({ kind }) => kind === 'text')).toBe(true);
  },
);
