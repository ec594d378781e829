/** Writes `start.js`: which files each page needs, so that they are fetched together with the program. */

import { readFileSync } from 'node:fs';

const TEMPLATE = 'src/lib/app/start.js';
const PAGES = /\/src\/routes\/(.*)page\.svelte$/;
/** Draws messages; pages with a timeline load it when they are set up. */
const MARKDOWN = '/src/lib/markdown/render.ts';
const WITH_MESSAGES = /^(c|dm)\//;

/** @returns {import('vite').Plugin} */
export function start() {
  return {
    name: 'svc:start',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'script', attrs: { src: '/start.js', async: true }, injectTo: 'head-prepend' },
    ],
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((made) => made.type === 'chunk');
        /** @type {(file: string, into: Set<string>) => Set<string>} */
        const gather = (file, into) => {
          const chunk = chunks.find(({ fileName }) => fileName === file);
          if (!chunk || into.has(file)) return into;
          into.add(file);
          for (const style of chunk.viteMetadata?.importedCss ?? []) into.add(style);
          for (const other of chunk.imports) gather(other, into);
          return into;
        };
        const entry = chunks.find(({ isEntry }) => isEntry);
        if (!entry) throw new Error('the build has no entry');
        const withProgram = gather(entry.fileName, new Set());
        const markdown = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(MARKDOWN));
        if (!markdown) throw new Error(`no chunk begins with ${MARKDOWN}`);

        const pages = chunks.flatMap(({ facadeModuleId, fileName }) => {
          const folder = PAGES.exec(facadeModuleId ?? '')?.[1];
          if (folder === undefined) return [];
          const files = gather(fileName, new Set());
          if (WITH_MESSAGES.test(folder)) gather(markdown.fileName, files);
          return [{ folder, files: [...files].filter((file) => !withProgram.has(file)).sort() }];
        });
        // An address with a name in it comes after those that are written out.
        pages.sort((left, right) => (rank(left.folder) < rank(right.folder) ? -1 : 1));
        const table = pages.map(({ folder, files }) => [patternOf(folder), files.map((file) => `/${file}`)]);
        const source = readFileSync(TEMPLATE, 'utf8').replace('__PAGES__', () =>
          JSON.stringify(table).replaceAll('\\', '\\\\'),
        );
        this.emitFile({ type: 'asset', fileName: 'start.js', source });
      },
    },
  };
}

/** @param {string} folder */
const rank = (folder) => folder.replaceAll('[', '~');

/** `c/[channel]/` as a regular expression for paths. */
function patternOf(/** @type {string} */ folder) {
  return `^/${folder.replace(/\/$/, '').replaceAll(/\[\w+\]/g, '[^/]+')}/?$`;
}
