/** Writes the service worker of a build: its cache is named after the build, so that builds never mix. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const TEMPLATE = 'src/lib/pwa/sw.js';
/** Fonts of other scripts and pictures for the desktop are fetched when they are needed. */
const LEFT_OUT = /\.(md|png)$|-(cyrillic|greek|vietnamese)(-ext)?-|-latin-ext-/;

/** @returns {import('vite').Plugin} */
export function serviceWorker() {
  return {
    name: 'svc:service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const hash = createHash('sha256');
        /** @type {string[]} */
        const files = [];
        /** @type {(file: string, content: string | Uint8Array) => void} */
        const add = (file, content) => {
          hash.update(`${file}\0`).update(content).update('\0');
          if (!LEFT_OUT.test(file)) files.push(file === 'index.html' ? '/' : `/${file}`);
        };
        for (const file of readdirSync('public').sort()) add(file, readFileSync(`public/${file}`));
        for (const [file, made] of Object.entries(bundle).sort(([left], [right]) =>
          left < right ? -1 : 1,
        )) {
          add(file, made.type === 'chunk' ? made.code : made.source);
        }
        const template = readFileSync(TEMPLATE, 'utf8');
        hash.update(template);
        const source = template
          .replace('__BUILD__', hash.digest('hex').slice(0, 16))
          .replace('__FILES__', JSON.stringify(files));
        this.emitFile({ type: 'asset', fileName: 'sw.js', source });
      },
    },
  };
}
