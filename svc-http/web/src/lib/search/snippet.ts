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

/** Drawn as text piece by piece, so that nothing in a message can become a part of the page. */
export function readSnippet(html: string): Piece[] {
  const pieces: Piece[] = [];
  let marked = false;
  for (const part of html.split(/(<\/?mark>)/)) {
    if (part === '<mark>') marked = true;
    else if (part === '</mark>') marked = false;
    else if (part !== '') pieces.push({ text: withoutMarks(unescape(part)), marked });
  }
  return pieces;
}

function unescape(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Without the marks of Markdown that are never words. What a snippet cuts off leaves many of them alone. */
function withoutMarks(text: string): string {
  return text.replace(/(?:```|~~~)[\w-]*/g, ' ').replace(/\*\*|~~|`/g, '');
}
