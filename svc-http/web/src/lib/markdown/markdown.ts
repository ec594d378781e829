/** Markdown to HTML that is not trusted yet: `render.ts` sanitises it. HTML in the text stays text. */

import MarkdownIt, { type MarkdownIt as Markdown } from 'markdown-it';
import { deepRule } from './deep';
import { namesRule } from './names';

/** Which names become links. */
export interface Known {
  handle(name: string): boolean;
  channel(name: string): boolean;
}

export function createMarkdown(): Markdown {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false });
  // A word with a dot is more often a file than a site.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  markdown.validateLink = (address) => /^(https?:\/\/|mailto:|\/(?![/\\]))/i.test(address.trim());
  markdown.inline.ruler.push('names', namesRule);
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
  // The headings of the page are the page's own.
  rules['heading_open'] = (tokens, index) => `<p class="heading ${tokens[index]?.tag ?? ''}">`;
  rules['heading_close'] = () => '</p>\n';
  return markdown;
}
