/**
 * Names of characters such as `&hellip;`. The Markdown library brings a table of all two thousand of them, which would
 * be a quarter of what a reader downloads to see a message; `vite.config.ts` puts this in its place: the browser has
 * the same table.
 */

let area: HTMLTextAreaElement | undefined;

/** The character that the whole text names, or the text itself when it names none. */
export function decodeHTMLStrict(text: string): string {
  // Nothing but a name comes near the browser's parser.
  if (!/^&[a-z][a-z0-9]{1,31};$/i.test(text)) return text;
  area ??= document.createElement('textarea');
  area.innerHTML = text;
  const { value } = area;
  // Some names count without their semicolon too, and what follows is left over: `&notit;` is none.
  return value.endsWith(';') && value !== ';' ? text : value;
}
