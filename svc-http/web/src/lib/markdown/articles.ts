/** `[[slug]]` and `[[slug|text]]` in Markdown: links to articles of the wiki. */

import type { StateInline } from 'markdown-it';
import type { Known } from './markdown';

const SLUG = /^[a-z0-9][a-z0-9-]{0,98}[a-z0-9]$/;
/** The server looks no further for the end of a link. */
const LONGEST = 400;

interface ArticleLink {
  readonly slug: string;
  readonly text: string;
  readonly end: number;
}

/** The link that begins at a place in a text. */
export function articleLinkAt(source: string, start: number, most = source.length): ArticleLink | undefined {
  if (!source.startsWith('[[', start)) return undefined;
  const end = source.slice(start + 2, Math.min(most, start + 2 + LONGEST)).indexOf(']]');
  if (end < 0) return undefined;
  const inside = source.slice(start + 2, start + 2 + end);
  const bar = inside.indexOf('|');
  const slug = (bar < 0 ? inside : inside.slice(0, bar)).trim();
  if (!SLUG.test(slug)) return undefined;
  const text = bar < 0 ? '' : inside.slice(bar + 1).trim();
  return { slug, text: text || slug, end: start + 2 + end + 2 };
}

export function articlesRule(state: StateInline, silent: boolean): boolean {
  const found = articleLinkAt(state.src, state.pos, state.posMax);
  if (!found || state.linkLevel > 0) return false;
  if (!silent) {
    const { known } = state.env as { known?: Known };
    const isMissing = known?.article?.(found.slug) === false;
    const open = state.push('link_open', 'a', 1);
    const address = `/wiki/${found.slug}`;
    open.attrs = [
      ['href', isMissing ? `/wiki/-/new?slug=${found.slug}` : address],
      ['class', isMissing ? 'article missing' : 'article'],
    ];
    state.push('text', '', 0).content = found.text;
    state.push('link_close', 'a', -1);
  }
  state.pos = found.end;
  return true;
}
