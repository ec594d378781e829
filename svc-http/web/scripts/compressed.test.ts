import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressed } from './compressed.mjs';

const text = (length: number) =>
  Buffer.from('Wörter, die sich wiederholen. '.repeat(length)).subarray(0, length);

/** Bytes in which there is nothing to save, the same each time. */
function noise(length: number) {
  const parts = Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
    createHash('sha256').update(`${at}`).digest(),
  );
  return Buffer.concat(parts).subarray(0, length);
}

test.each(['a.js', 'a.css', 'index.html', 'a.svg', 'a.json', 'manifest.webmanifest'])(
  '%s becomes smaller and comes back as it was',
  (file) => {
    const content = text(5000);
    const smaller = compressed(file, content);
    expect(smaller?.length).toBeLessThan(100);
    expect(brotliDecompressSync(smaller ?? '')).toEqual(content);
  },
);

test('the same content gives the same bytes', () => {
  const content = Buffer.concat([text(2000), noise(3000), text(70_000)]);
  expect(compressed('a.js', content)).toEqual(compressed('b.css', content));
});

test('what is small, is compressed already or would grow stays alone', () => {
  expect(compressed('a.js', text(1023))).toBeUndefined();
  expect(compressed('a.js', text(1024))).toBeDefined();
  expect(compressed('a.js', noise(4096))).toBeUndefined();
  for (const file of ['a.js.br', 'a.png', 'a.woff2', 'licenses.md']) {
    expect(compressed(file, text(5000))).toBeUndefined();
  }
});
