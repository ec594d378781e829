/** All pages. The folder of a `page.svelte` is its address; a name in brackets is a parameter. */

import type { Component } from 'svelte';
import { patternOfFile, type RouteParams } from '../lib/router/pattern';

export type Page = Component<{ params: RouteParams }>;
export type LoadPage = () => Promise<{ default: Page }>;

/** Pages are loaded when they are visited, so that the first one opens fast. */
export const pages: Readonly<Record<string, LoadPage>> = Object.fromEntries(
  Object.entries(import.meta.glob<{ default: Page }>('./**/page.svelte')).map(([file, load]) => [
    patternOfFile(file),
    load,
  ]),
);

/** Whether a page can be opened without a login. */
export function isPublic(path: string): boolean {
  return path === '/docs';
}
