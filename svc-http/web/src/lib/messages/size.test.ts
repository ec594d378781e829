import { expect, test } from 'vitest';
import { sizeInWords } from './size';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_500, '1.5 kB'],
  [12_345, '12 kB'],
  [999_900, '1 MB'],
  [52_428_800, '52 MB'],
])('%d bytes are %s', (bytes, words) => expect(sizeInWords(bytes)).toBe(words));
