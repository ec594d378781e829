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
