import { expect, test } from 'vitest';
import { createMarkdown } from './markdown';
import { tickedIn } from './tasks';

const known = { handle: () => false, channel: () => false };
const markdown = createMarkdown();
const html = (text: string) => markdown.render(text, { known }).replaceAll('\n', '');

test('tasks are items with a class', () => {
  expect(html('- [ ] open\n- [x] done\n- other')).toBe(
    '<ul><li class="task">open</li><li class="task done">done</li><li>other</li></ul>',
  );
  expect(html('1. [X] one')).toBe('<ol><li class="task done">one</li></ol>');
});

test.each(['- [ ]', '- [] x', '- [y] x', '- [x]x', '- [x](https://example.org)', '[ ] x', '- `[ ] x`'])(
  '%j is no task',
  (text) => expect(html(text)).not.toContain('class="task'),
);

test('a mark is no link, whatever the text defines', () => {
  expect(html('- [x] a\n\n[x]: https://example.org')).toBe('<ul><li class="task done">a</li></ul>');
});

test.each([
  ['- [ ] a\n- [ ] b', 1, true, '- [ ] a\n- [x] b'],
  ['- [x] a\n- [X] b', 1, false, '- [x] a\n- [ ] b'],
  // What stands in code, or in a paragraph, is not counted.
  ['[ ] no\n\n```\n- [ ] no\n```\n\n- [ ] yes', 0, true, '[ ] no\n\n```\n- [ ] no\n```\n\n- [x] yes'],
  ['> - [ ] quoted\n>   1. [ ] nested', 1, true, '> - [ ] quoted\n>   1. [x] nested'],
  ['- - [ ] two signs', 0, true, '- - [x] two signs'],
  ['- [ ] first line [ ] of two\n  [ ] second', 0, true, '- [x] first line [ ] of two\n  [ ] second'],
  ['a\r\n\r\n* [ ] b\r\n', 0, true, 'a\r\n\r\n* [x] b\r\n'],
  ['- [ ] loose\n\n- [ ] list', 1, true, '- [ ] loose\n\n- [x] list'],
])('%j with task %d ticked: %s', (text, index, isDone, expected) => {
  expect(tickedIn(markdown, text, index, isDone)).toBe(expected);
});

test('a task that is not there is not ticked', () => {
  expect(tickedIn(markdown, '- [ ] a', 1, true)).toBeUndefined();
  expect(tickedIn(markdown, 'text', 0, true)).toBeUndefined();
});

test('cells of tables are aligned by classes', () => {
  const table = html('| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |');
  expect(table).toContain(
    '<th class="to-left">a</th><th class="to-center">b</th><th class="to-right">c</th>',
  );
  expect(table).toContain('<td class="to-right">3</td>');
  expect(table).not.toContain('style');
  expect(html('| a |\n|---|\n| 1 |')).toContain('<th>a</th>');
});
