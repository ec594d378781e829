/** Markdown to HTML that is not trusted yet: `render.ts` sanitises it. HTML in the text stays text. */

import MarkdownIt, { type MarkdownIt as Markdown } from 'markdown-it';
import { articlesRule } from './articles';
import { deepRule } from './deep';
import { namesRule } from './names';
import { placeOf, sectionsRule } from './sections';
import { alignCells } from './table-cells';
import { tasksRule } from './tasks';

/** Which names become links. */
export interface Known {
  handle(name: string): boolean;
  channel(name: string): boolean;
  /** Whether the wiki has an article; without an answer, links to articles all look alike. */
  article?(slug: string): boolean | undefined;
}

export function createMarkdown(): Markdown {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false });
  // A word with a dot is more often a file than a site.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  markdown.validateLink = (address) => /^(https?:\/\/|mailto:|\/(?![/\\]))/i.test(address.trim());
  markdown.inline.ruler.push('names', namesRule);
  markdown.inline.ruler.before('link', 'articles', articlesRule);
  markdown.core.ruler.push('sections', sectionsRule);
  markdown.core.ruler.before('inline', 'tasks', tasksRule);
  markdown.core.ruler.push('cells', alignCells);
  markdown.block.ruler.before('table', 'deep', deepRule);

  const rules = markdown.renderer.rules;
  rules['link_open'] = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const isOurs = String(token?.attrGet('href') ?? '').startsWith('/');
    if (!isOurs) {
      token?.attrSet('target', '_blank');
      token?.attrSet('rel', 'noopener noreferrer nofollow');
    }
    return self.renderToken(tokens, index, options);
  };
  // A picture from elsewhere would tell its server who reads; it becomes a link.
  rules['image'] = (tokens, index) => {
    const token = tokens[index];
    const address = markdown.utils.escapeHtml(String(token?.attrGet('src') ?? ''));
    const title = markdown.utils.escapeHtml(token?.content || 'picture');
    return `<a href="${address}" target="_blank" rel="noopener noreferrer nofollow">${title}</a>`;
  };
  // The headings of the page are the page's own, unless the page is an article.
  rules['heading_open'] = (tokens, index) => {
    const place = placeOf(tokens[index]);
    if (!place) return `<p class="heading ${tokens[index]?.tag ?? ''}">`;
    return `<h${place.depth + 2} id="${markdown.utils.escapeHtml(place.id)}">`;
  };
  rules['heading_close'] = (tokens, index) => {
    const place = placeOf(tokens[index]);
    return place ? `</h${place.depth + 2}>\n` : '</p>\n';
  };
  return markdown;
}
