import { expect, test } from 'vitest';
import { oneLine } from './one-line';

test.each([
  ['Ship **2.4** on `Monday`', 'Ship 2.4 on Monday'],
  ['# Plan\n\n- first\n- second\n\n> said', 'Plan first second said'],
  ['- [ ] open\n- [x] done', 'open done'],
  ['see [the log](https://example.org/x) and ![a cat](cat.png)', 'see the log and a cat'],
  ['```sh\nmake all\n```', 'make all'],
  ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
  ['| step | who |\n|---|:--:|\n| build | ann |', 'step who build ann'],
  // As the server puts it on one line.
  ['| step | who | |---|---| | build | ann |', 'step who build ann'],
  ['a | b || c', 'a | b || c'],
  ['   ', ''],
])('%j is %j', (markdown, expected) => expect(oneLine(markdown)).toBe(expected));

test('a long text ends in dots and never in half a character', () => {
  expect(oneLine('🦊'.repeat(20), 5)).toBe('🦊🦊🦊🦊…');
  expect(oneLine('abc', 3)).toBe('abc');
});

test('64 KiB of marks take no time', () => {
  const started = performance.now();
  for (const mark of ['*', '`', '[', '~~', '|-', '|--', '**a', '[a]('])
    oneLine(mark.repeat(65_536 / mark.length));
  expect(performance.now() - started).toBeLessThan(2_000);
});
