/**
 * What the highlighter says about a block of code, read as text with kinds, so that the page is built from text nodes
 * and nothing in a message can become a part of the page.
 */

/** The kinds that have a colour of their own. */
export type CodeKind = 'comment' | 'keyword' | 'string' | 'number' | 'name' | 'type' | 'added' | 'removed';

export interface CodePiece {
  readonly text: string;
  readonly kind: CodeKind | undefined;
}

/** By the first part of the highlighter's own names, such as `title function_`. */
const KINDS: Readonly<Record<string, CodeKind>> = {
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  keyword: 'keyword',
  'selector-tag': 'keyword',
  'selector-pseudo': 'keyword',
  tag: 'keyword',
  section: 'keyword',
  meta: 'keyword',
  string: 'string',
  regexp: 'string',
  link: 'string',
  code: 'string',
  number: 'number',
  literal: 'number',
  symbol: 'number',
  bullet: 'number',
  char: 'number',
  title: 'name',
  name: 'name',
  attr: 'name',
  attribute: 'name',
  property: 'name',
  'selector-id': 'name',
  'selector-class': 'name',
  'selector-attr': 'name',
  type: 'type',
  built_in: 'type',
  'template-variable': 'type',
  addition: 'added',
  deletion: 'removed',
};
/** These hold code of any kind, which has the plain colour. */
const PLAIN = new Set(['subst', 'params', 'variable', 'operator', 'punctuation']);

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** The highlighter writes spans with one attribute, and text with five letters escaped. */
export function readPieces(html: string): CodePiece[] {
  const pieces: CodePiece[] = [];
  const open: (CodeKind | undefined)[] = [];
  for (const [part] of html.matchAll(/<span class="[^"]*">|<\/span>|[^<]+|</g)) {
    if (part === '</span>') open.pop();
    else if (part.startsWith('<span '))
      open.push(kindOf(part.slice('<span class="'.length, -2), open.at(-1)));
    else add(pieces, unescape(part), open.at(-1));
  }
  return pieces;
}

/** The kind of a span; one without a colour of its own has that of the span around it. */
function kindOf(classes: string, around: CodeKind | undefined): CodeKind | undefined {
  const [first = ''] = classes.split(' ');
  const name = first.replace(/^hljs-/, '');
  if (PLAIN.has(name)) return undefined;
  return Object.hasOwn(KINDS, name) ? KINDS[name] : around;
}

function add(pieces: CodePiece[], text: string, kind: CodeKind | undefined): void {
  const last = pieces.at(-1);
  if (last && last.kind === kind) pieces[pieces.length - 1] = { text: last.text + text, kind };
  else pieces.push({ text, kind });
}

function unescape(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (whole, name: string) => NAMED[name] ?? whole);
}
