/** Cells of tables are aligned by classes: the content security policy of the server forbids style attributes. */

import type { StateCore } from 'markdown-it';

export function alignCells(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue;
    const side = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
    token.attrs = side === undefined ? null : [['class', `to-${side}`]];
  }
}
