/**
 * Icons as plain drawings. The library's own component works out each attribute of each icon whenever one is shown;
 * there are dozens on a page, and none of them changes. What the library has drawn stays as it is.
 */

import { readFile } from 'node:fs/promises';

const ICON = /[\\/]@lucide[\\/]svelte[\\/]dist[\\/]icons[\\/][\w-]+\.svelte$/;
const DRAWING = /const iconData = (\{.*\});/;

/** @returns {import('vite').Plugin} */
export function plainIcons() {
  return {
    name: 'svc:plain-icons',
    enforce: 'pre',
    async load(id) {
      if (!ICON.test(id)) return undefined;
      const source = await readFile(id, 'utf8');
      const drawing = DRAWING.exec(source)?.[1];
      if (drawing === undefined) throw new Error(`${id} has no drawing where one is looked for`);
      return component(JSON.parse(drawing));
    },
  };
}

/** @param {{ name: string, size: number, node: [string, Record<string, string>][] }} drawing */
function component({ name, size, node }) {
  const shapes = node.map(([tag, attributes]) => `<${tag}${written(attributes)} />`).join('');
  return `<script>
  const { size = 24, strokeWidth = 2 } = $props();
</script>

<svg xmlns="http://www.w3.org/2000/svg" class="lucide lucide-${name}" viewBox="0 0 ${size} ${size}" width={size}
  height={size} fill="none" stroke="currentColor" stroke-width={strokeWidth} stroke-linecap="round"
  stroke-linejoin="round" aria-hidden="true">${shapes}</svg>
`;
}

/** @param {Record<string, string>} attributes */
function written(attributes) {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
}
