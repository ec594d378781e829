/**
 * Writes a `.br` for each file of a build that it makes smaller: brotli at its best takes far too long for a request, and
 * a build is made once. Of the program's own files only the `.br` stays, and the server decompresses it for browsers
 * that need it: both forms would make the build nearly three times as large. The encoder comes from a package, because
 * Node's own gives other bytes with each version.
 */

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

// Its ES module is made for browsers, and asks for its program by `fetch`.
/** @type {import('brotli-wasm').BrotliWasmType} */
const brotli = createRequire(import.meta.url)('brotli-wasm');

/** Fonts and pictures are compressed already; nobody waits for the licences. */
const COMPRESSIBLE = /\.(css|html|js|json|svg|webmanifest)$/;
/** The server compresses nothing below this either: headers weigh more than what is saved. */
const SMALLEST = 1024;
/** The best there is. The package's window of 4 MiB holds each file as a whole, so a larger one would change nothing. */
const QUALITY = 11;

/**
 * The file as brotli, if that is worth it.
 *
 * @param {string} file
 * @param {Uint8Array} content
 */
export function compressed(file, content) {
  if (!COMPRESSIBLE.test(file) || content.length < SMALLEST) return undefined;
  const smaller = brotli.compress(content, { quality: QUALITY });
  return smaller.length < content.length ? smaller : undefined;
}

/**
 * Whether a file is a part of the program, which only the page asks for.
 *
 * @param {string} file
 */
export function isProgram(file) {
  return basename(dirname(file)) === 'assets';
}

/** @returns {import('vite').Plugin} */
export function compressedFiles() {
  return {
    name: 'svc:compressed-files',
    apply: 'build',
    // By now everything is in the folder, also what was copied from `public`.
    writeBundle: {
      order: 'post',
      async handler({ dir }) {
        if (dir === undefined) throw new Error('the build has no folder');
        for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
          if (!entry.isFile()) continue;
          const file = join(entry.parentPath, entry.name);
          const smaller = compressed(file, await readFile(file));
          if (!smaller) continue;
          await writeFile(`${file}.br`, smaller);
          if (isProgram(file)) await rm(file);
        }
      },
    },
  };
}
