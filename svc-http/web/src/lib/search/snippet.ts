/** The snippet of a hit, which is HTML of one kind only: marks, and text with its letters escaped. */

export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** They stand for the marks while Markdown is taken out; the server leaves no such letters in a snippet. */
const OPEN = '\u0002';
const CLOSE = '\u0003';
const MARKS = /[\u0002\u0003]/g;

/** Drawn as text piece by piece, so that nothing in a message can become a part of the page. */
export function readSnippet(html: string): Piece[] {
  const pieces: Piece[] = [];
  let marked = false;
  for (const part of withoutMarkdown(flat(html)).split(/([\u0002\u0003])/)) {
    if (part === OPEN) marked = true;
    else if (part === CLOSE) marked = false;
    else if (part !== '') pieces.push({ text: part, marked });
  }
  return pieces;
}

function flat(html: string): string {
  return html
    .split(/(<\/?mark>)/)
    .map((part) =>
      part === '<mark>' ? OPEN : part === '</mark>' ? CLOSE : unescape(part).replaceAll(MARKS, ''),
    )
    .join('');
}

function unescape(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The line under the head of a table, of which a snippet is one long line. */
const UNDER_HEAD = /\|(?:[ \t]*:?-{2,}:?[ \t]*\|)+/g;

/**
 * Without the signs of Markdown. A snippet is one line cut out of a text: signs at the beginning of a line can be told
 * only where the snippet begins, and what was cut off leaves some without their other half.
 */
function withoutMarkdown(text: string): string {
  const hasTable = text.search(UNDER_HEAD) >= 0;
  const plain = text
    .replace(/(?:```|~~~)[\w-]*/g, ' ')
    .replace(
      /!?\[([^[\]]*)\]\(([^)\s]*)\)?/g,
      (_, title: string, address: string) => title + marksOf(address),
    )
    .replace(/^(…?)[^[\]\s]*\]\([^)\s]*\)/, (whole, cut: string) => cut + marksOf(whole))
    .replace(/\[\[(?:[a-z0-9-]+\|)?([^[\]|]+)\]\]/g, '$1')
    .replace(/(^…?|\s)#{1,6}(?=\s)/g, '$1')
    .replace(/(^…?|\s)(?:[-*+]|\d{1,3}[.)])\s+\[[ xX]\](?=\s)/g, '$1')
    .replace(/^(…?\s*)(?:(?:[-*+>]|\d{1,3}[.)])\s+)+/, '$1')
    .replace(/\*\*|~~|`/g, '')
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\p{L}\p{N}*])/gu, '$1');
  return hasTable ? plain.replace(UNDER_HEAD, ' ').replaceAll('|', ' ') : plain;
}

/** What was marked begins and ends also where its text is left out. */
function marksOf(text: string): string {
  return (text.match(MARKS) ?? []).join('');
}
