/** Gives blocks of code that name a language their colours, once the way to do that has been loaded. */

import { nextTask } from '../app/next-task';

type Highlight = typeof import('./highlight').highlight;

let loading: Promise<Highlight | undefined> | undefined;

function load(): Promise<Highlight | undefined> {
  loading ??= import('./highlight').then(
    (module) => module.highlight,
    () => {
      // The next block tries again; without colours code is readable too.
      loading = undefined;
      return undefined;
    },
  );
  return loading;
}

/** An attachment; `html` names what was rendered, so that it runs again for other contents. */
export function colorCode(html: string): (element: HTMLElement) => (() => void) | undefined {
  return (element) => {
    if (!html.includes('class="language-')) return undefined;
    let isOver = false;
    void load().then(async (highlight) => {
      if (highlight === undefined) return;
      for (const block of element.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')) {
        // Each block in a task of its own, so that a page with many of them can be used meanwhile.
        await nextTask();
        if (isOver) return;
        color(block, highlight);
      }
    });
    return () => {
      isOver = true;
    };
  };
}

function color(block: HTMLElement, highlight: Highlight): void {
  const language = block.className.slice('language-'.length).split(' ')[0] ?? '';
  const pieces = highlight(block.textContent ?? '', language.toLowerCase());
  if (pieces === undefined) return;
  const nodes = pieces.map(({ text, kind }) => {
    if (kind === undefined) return document.createTextNode(text);
    const span = document.createElement('span');
    span.className = `code-${kind}`;
    span.textContent = text;
    return span;
  });
  block.replaceChildren(...nodes);
}
