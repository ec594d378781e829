import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { highlight, LONGEST } from './highlight';
import { readPieces } from './pieces';

const kinds = (code: string, language: string) =>
  (highlight(code, language) ?? []).flatMap(({ text, kind }) => (kind ? [`${kind}: ${text}`] : []));

test('parts of code have kinds', () => {
  expect(kinds('let x = "a"; // b', 'rust')).toEqual(['keyword: let', 'string: "a"', 'comment: // b']);
});

test.each(
  'rust rs python py typescript ts tsx javascript js jsx go java c cpp c++ bash sh shell json yaml yml toml sql html css diff markdown md dockerfile docker'.split(
    ' ',
  ),
)('%s is a language', (language) => expect(highlight('x', language)?.map(({ text }) => text)).toEqual(['x']));

test('other languages, and very long code, stay as they are', () => {
  expect(highlight('x', 'klingon')).toBeUndefined();
  expect(highlight('x'.repeat(LONGEST + 1), 'rust')).toBeUndefined();
});

test.each([
  ['html', '<b class="x">&amp; \'q\'</b>\n<script>let a = `${1 < 2}`;</script>'],
  ['diff', '--- a\n+++ b\n-old\n+new <b>'],
  ['rust', 'fn main() { println!("{}", a < b && c > d); }'],
])('the text of %s is what was written', (language, code) => {
  expect((highlight(code, language) ?? []).map(({ text }) => text).join('')).toBe(code);
});

test('lines of a diff are told apart', () => {
  expect(kinds('-old\n+new', 'diff')).toEqual(['removed: -old', 'added: +new']);
});

test('a part without a colour has that of the part around it, code in a string the plain one', () => {
  expect(
    readPieces(
      '<span class="hljs-string">a<span class="hljs-strange">b</span><span class="hljs-subst">c</span></span>',
    ),
  ).toEqual([
    { text: 'ab', kind: 'string' },
    { text: 'c', kind: undefined },
  ]);
});

describe('colours of code', () => {
  const style = readFileSync(new URL('../../app.css', import.meta.url), 'utf8');
  const themed = (name: string) => {
    const match = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(style);
    return [match?.[1] ?? '', match?.[2] ?? ''] as const;
  };
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one: string, other: string) => {
    const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };

  test.each('comment keyword string number name type added removed'.split(' '))(
    '%s can be read on both grounds, light and dark',
    (kind) => {
      for (const ground of ['sunken', 'accent-soft'])
        for (const theme of [0, 1] as const)
          expect(contrast(themed(`code-${kind}`)[theme], themed(ground)[theme])).toBeGreaterThanOrEqual(4.5);
    },
  );
});
