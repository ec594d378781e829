import { expect, test } from 'vitest';
import { readSnippet } from './snippet';

test('marks are marks, the rest is text', () => {
  expect(readSnippet('… the <mark>build</mark> failed')).toEqual([
    { text: '… the ', marked: false },
    { text: 'build', marked: true },
    { text: ' failed', marked: false },
  ]);
});

test('what the server escaped is shown as it was written', () => {
  expect(readSnippet('a &lt;b&gt; &amp;amp; &#39;c&#x27; &quot;d&quot;')).toEqual([
    { text: `a <b> &amp; 'c' "d"`, marked: false },
  ]);
});

test('anything else stays text', () => {
  const hostile = '<img src=x onerror=alert(1)> &#99999999; &copy;';
  expect(readSnippet(hostile)).toEqual([{ text: hostile, marked: false }]);
});

test('marks of Markdown are left out, also where one is cut off from the other', () => {
  const pieces = readSnippet('**bill<mark>ing</mark>** is `down`: ```sh systemctl __init__ 2 * 3');
  expect(pieces.map(({ text }) => text).join('|')).toBe('bill|ing| is down:   systemctl __init__ 2 * 3');
});

/** Browsers draw spaces in a row as one. */
const plain = (html: string) =>
  readSnippet(html)
    .map(({ text }) => text)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

test.each([
  ['see [the <mark>log</mark>](https://example.org/log) now', 'see the log now'],
  ['![a cat](/cat.png) and [[run-book|the book]] [[deploy]]', 'a cat and the book deploy'],
  ['# Plan - [ ] open - [x] done', 'Plan open done'],
  ['&gt; - quoted', 'quoted'],
  ['| step | who | |---|---| | build | ann |', 'step who build ann'],
  ['*slanted* and 2 * 3 * 4', 'slanted and 2 * 3 * 4'],
  // What a dash is in the middle of a line cannot be told.
  ['one - two', 'one - two'],
  ['a | b', 'a | b'],
  ['a &gt; b', 'a > b'],
  ['…text](https://example.org) after', '… after'],
  ['before [title](https://exam…', 'before title'],
])('%j reads %j', (html, expected) => expect(plain(html)).toBe(expected));

test('what is marked beyond the end of a link ends there', () => {
  expect(readSnippet('[the <mark>log](https</mark>://example.org) after')).toEqual([
    { text: 'the ', marked: false },
    { text: 'log', marked: true },
    { text: ' after', marked: false },
  ]);
});

test('many signs take no time', () => {
  const started = performance.now();
  for (const sign of ['*', '[', '](', '|--', '# ', '- [ ] ', '<mark>', '[a](']) plain(sign.repeat(20_000));
  expect(performance.now() - started).toBeLessThan(2_000);
});
