/** `@handle` and `#channel` in Markdown: links when they are known, text when not. */

import type { StateInline } from 'markdown-it';
import type { Known } from './markdown';

const NAME = /[\p{L}\p{N}][\p{L}\p{N}_-]*/uy;

export function namesRule(state: StateInline, silent: boolean): boolean {
  const sign = state.src[state.pos];
  if (sign !== '@' && sign !== '#') return false;
  const before = state.src[state.pos - 1] ?? ' ';
  if (/[\p{L}\p{N}_@#/&.-]/u.test(before) || state.linkLevel > 0) return false;

  NAME.lastIndex = state.pos + 1;
  const name = NAME.exec(state.src)?.[0].toLowerCase();
  const known = (state.env as { known?: Known }).known;
  const isKnown = name !== undefined && (sign === '@' ? known?.handle(name) : known?.channel(name));
  if (!isKnown || NAME.lastIndex > state.posMax) return false;
  // An address such as @ada.example is none of ours.
  if (/^[.@][\p{L}\p{N}]/u.test(state.src.slice(NAME.lastIndex, NAME.lastIndex + 2))) return false;

  if (!silent) {
    const open = state.push('link_open', 'a', 1);
    open.attrs = [
      ['href', `${sign === '@' ? '/dm/' : '/c/'}${encodeURIComponent(name)}`],
      ['class', sign === '@' ? 'mention' : 'channel'],
    ];
    state.push('text', '', 0).content = state.src.slice(state.pos, NAME.lastIndex);
    state.push('link_close', 'a', -1);
  }
  state.pos = NAME.lastIndex;
  return true;
}
