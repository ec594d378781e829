import { expect, test } from 'vitest';
import { binarySize, sizeInWords } from './size';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_500, '1.5 kB'],
  [12_345, '12 kB'],
  [999_900, '1 MB'],
  [52_428_800, '52 MB'],
])('%d bytes are %s', (bytes, words) => expect(sizeInWords(bytes)).toBe(words));

test.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_536, '1.5 KiB'],
  [1_048_575, '1 MiB'],
  [52_428_800, '50 MiB'],
  [10_737_418_240, '10 GiB'],
])('a limit of %d bytes is %s', (bytes, words) => expect(binarySize(bytes)).toBe(words));
