/** Markdown to HTML that may be drawn. A chunk of its own, loaded with the first message. */

import DOMPurify from 'dompurify';
import { createMarkdown, type Known } from './markdown';
import type { Section } from './sections';
import { tickedIn } from './tasks';

const markdown = createMarkdown();

// Set once: given with each text, it would be read anew for each.
DOMPurify.setConfig({
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'strong', 'em', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ],
  // Only headings of articles have an id, and it begins with a word of ours.
  ALLOWED_ATTR: ['href', 'class', 'start', 'target', 'rel', 'id'],
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:|\/(?![/\\]))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
});

/** Texts that have been rendered, so that going back in a timeline costs nothing. */
const done = new Map<string, string>();
const MOST_REMEMBERED = 1_000;

export function render(text: string, known: Known): string {
  return sanitized(markdown.render(text, { known }));
}

/** An article: its headings are headings of the page, and come along as a list. */
export function renderArticle(text: string, known: Known): { html: string; sections: readonly Section[] } {
  const sections: Section[] = [];
  const html = sanitized(markdown.render(text, { known, sections }));
  return { html, sections };
}

/** A text with one of its tasks ticked or not, or nothing when it has no such task. */
export function withTask(text: string, index: number, isDone: boolean): string | undefined {
  return tickedIn(markdown, text, index, isDone);
}

function sanitized(html: string): string {
  const remembered = done.get(html);
  if (remembered !== undefined) return remembered;
  const clean = DOMPurify.sanitize(html);
  if (done.size >= MOST_REMEMBERED) done.clear();
  done.set(html, clean);
  return clean;
}
