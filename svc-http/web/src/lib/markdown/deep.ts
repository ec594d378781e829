/** A Markdown rule: text that is nested too deeply is shown as it was written. */

import type { StateBlock } from 'markdown-it';

/** A quotation is one level, a list two. */
const DEEPEST = 12;

export function deepRule(state: StateBlock, startLine: number, endLine: number): boolean {
  if (state.level < DEEPEST) return false;
  let line = startLine + 1;
  while (line < endLine && !state.isEmpty(line) && (state.sCount[line] ?? 0) >= state.blkIndent) line += 1;

  const map: [number, number] = [startLine, line];
  state.push('paragraph_open', 'p', 1).map = map;
  const text = state.push('inline', '', 0);
  text.content = state.getLines(startLine, line, state.blkIndent, false).trim();
  text.map = map;
  text.children = [];
  state.push('paragraph_close', 'p', -1);
  state.line = line;
  return true;
}
