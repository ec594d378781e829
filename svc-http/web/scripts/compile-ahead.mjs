/**
 * Says of the files without which no message is seen that nearly all of them is called at once. Browsers that know
 * the words compile them beside the download, instead of function by function when each is first called.
 */

const WORDS = '//# allFunctionsCalledOnLoad\n';
const AT_FIRST = new Set(['index', 'svelte', 'program', 'shared', 'messages', 'render']);

/** @returns {import('vite').Plugin} */
export function compileAhead() {
  return {
    name: 'svc:compile-ahead',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle).filter(
          (made) => made.type === 'chunk' && AT_FIRST.has(made.name),
        );
        if (files.length !== AT_FIRST.size)
          throw new Error('the files that are loaded at first have other names');
        // They count on the first line only.
        for (const file of files) if (file.type === 'chunk') file.code = WORDS + file.code;
      },
    },
  };
}
