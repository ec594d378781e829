/** A message in one line, for lists: its words without the marks of Markdown. */

/** Marks take room; more than this is never needed for a line, and patterns on long texts take long. */
const READ = 4;

export function oneLine(markdown: string, length = 160): string {
  const text = withoutTables(markdown.slice(0, length * READ))
    .replace(/^\s*(?:```|~~~).*$/gm, ' ')
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/\[\[(?:[a-z0-9-]+\|)?([^[\]|]+)\]\]/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>+|[-*+]|\d+[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gm, '')
    .replace(/(\*\*|__|~~|`)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...text];
  return letters.length > length
    ? `${letters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
    : text;
}

/** The line under the head of a table; without one, an upright stroke is a letter like others. */
const UNDER_HEAD = /\|(?:[ \t]*:?-{2,}:?[ \t]*\|)+/;

function withoutTables(text: string): string {
  return UNDER_HEAD.test(text) ? text.replace(UNDER_HEAD, ' ').replace(/\|/g, ' ') : text;
}
