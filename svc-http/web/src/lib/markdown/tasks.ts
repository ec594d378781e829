/** Tasks in Markdown: `- [ ] text` and `- [x] text`. They are drawn with boxes, which `task-boxes.ts` adds. */

import type { MarkdownIt as Markdown, StateCore, Token } from 'markdown-it';

const MARK = /^\[([ xX])\][ \t]+(?=\S)/;
/** What may stand before the mark in its line: quotations, spaces and the signs of lists. */
const MARK_IN_LINE = /^((?:[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+)+\[)[ xX](?=\][ \t]+\S)/;

/** Before inline text is read, so that `[x]` is never the beginning of a link. */
export function tasksRule(state: StateCore): void {
  for (const { item, text } of tasksAmong(state.tokens)) {
    const isDone = !text.content.startsWith('[ ]');
    item.attrJoin('class', isDone ? 'task done' : 'task');
    text.content = text.content.replace(MARK, '');
  }
}

/** The text with the mark of one task changed; tasks are counted as they are drawn. */
export function tickedIn(
  markdown: Markdown,
  text: string,
  index: number,
  isDone: boolean,
): string | undefined {
  const lines = text.split(/(\r\n|\r|\n)/);
  const line = taskLines(markdown, text)[index];
  // Every second part is the end of a line.
  const before = line === undefined ? undefined : lines[line * 2];
  if (line === undefined || before === undefined || !MARK_IN_LINE.test(before)) return undefined;
  lines[line * 2] = before.replace(MARK_IN_LINE, `$1${isDone ? 'x' : ' '}`);
  return lines.join('');
}

/** The line of each task, from 0. */
function taskLines(markdown: Markdown, text: string): number[] {
  return markdown
    .parse(text, {})
    .flatMap((token) => (token.type === 'list_item_open' && isTask(token) ? [token.map?.[0] ?? -1] : []));
}

function isTask(item: Token): boolean {
  return /^task\b/.test(String(item.attrGet('class') ?? ''));
}

/** A task begins with its mark: an item of a list whose first part is a paragraph. */
function tasksAmong(tokens: readonly Token[]): { item: Token; text: Token }[] {
  return tokens.flatMap((item, at) => {
    if (item.type !== 'list_item_open' || tokens[at + 1]?.type !== 'paragraph_open') return [];
    const text = tokens[at + 2];
    return text?.type === 'inline' && MARK.test(text.content) ? [{ item, text }] : [];
  });
}
