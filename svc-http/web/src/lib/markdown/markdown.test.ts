import { expect, test } from 'vitest';
import { createMarkdown } from './markdown';

const known = {
  handle: (name: string) => ['ada', 'build-bot'].includes(name),
  channel: (name: string) => name === 'general',
};
const html = (text: string) => createMarkdown().render(text, { known }).trim();

test.each([
  ['**bold** and `code`', '<p><strong>bold</strong> and <code>code</code></p>'],
  ['one\ntwo', '<p>one<br>\ntwo</p>'],
  ['# Title', '<p class="heading h1">Title</p>'],
])('%j is drawn as %s', (text, expected) => expect(html(text)).toBe(expected));

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](//evil.test)',
  '![x](javascript:alert(1))',
  '<a href="/x" onclick="x()">x</a>',
])('%j makes no element and no link of its own', (text) => {
  expect(html(text)).not.toMatch(/<(script|img|a|iframe)\b/);
});

test('pictures from elsewhere are links, never requests', () => {
  expect(html('![cat](https://evil.test/cat.png)')).not.toContain('<img');
  expect(html('![cat](https://evil.test/cat.png)')).toContain('>cat</a>');
});

test('links leave for a new tab, our own stay', () => {
  expect(html('https://example.org')).toContain('rel="noopener noreferrer nofollow"');
  expect(html('[d](/docs)')).toBe('<p><a href="/docs">d</a></p>');
});

test.each([
  ['@ada', '/dm/ada'],
  ['(@Build-Bot)', '/dm/build-bot'],
  ['see #general.', '/c/general'],
  ['**@ada**', '/dm/ada'],
])('%s leads to %s', (text, address) => expect(html(text)).toContain(`href="${address}"`));

test.each([
  '@stranger',
  'mail ada@home',
  'x@ada',
  '`@ada`',
  '```\n@ada\n```',
  '#1',
  '#unknown',
  '@ada.example',
  'a/#general',
])('%s is text', (text) => expect(html(text)).not.toContain('<a'));

test('what begins like a known name is that other name', () => {
  expect(html('@adam')).not.toContain('<a');
});

test.each([
  ['quotations', '> '],
  ['lists', '- '],
  ['both', '> - '],
])('however deep %s are nested, the text is there and not far to the right', (_, sign) => {
  const text = html(`${sign.repeat(80)}at the bottom\n\nafterwards`);
  expect(text).toContain('at the bottom');
  expect(text).toMatch(/<p>afterwards<\/p>$/);
  expect(text.match(/<(blockquote|ul)>/g)?.length).toBeLessThanOrEqual(12);
});

test('nesting that people write is drawn as it is', () => {
  expect(html('> > > three').match(/<blockquote>/g)?.length).toBe(3);
  expect(html('- a\n  - b\n    - c\n      - d').match(/<ul>/g)?.length).toBe(4);
});
