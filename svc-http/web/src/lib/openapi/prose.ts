/**
 * The little Markdown that descriptions in an OpenAPI document use, as a tree.
 *
 * The page draws the tree with elements of its own, so text from the document never becomes markup.
 * What is not understood stays as it was written.
 */

export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

export type Block =
  | { readonly kind: 'paragraph' | 'heading'; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] };

const FENCE = /^\s*```/;
const BULLET = /^\s*[-*+]\s+(.*)$/;
const NUMBER = /^\s*\d+[.)]\s+(.*)$/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/;
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

export function readProse(text: string): Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  while (lines.length > 0) {
    const line = lines[0] ?? '';
    if (line.trim() === '') lines.shift();
    else if (FENCE.test(line)) blocks.push(takeCode(lines));
    else if (HEADING.test(line)) blocks.push(takeHeading(lines));
    else if (BULLET.test(line)) blocks.push(takeList(lines, BULLET));
    else if (NUMBER.test(line)) blocks.push(takeList(lines, NUMBER));
    else blocks.push(takeParagraph(lines));
  }
  return blocks;
}

export function readInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, emphasis, label, href] = match;
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else if (emphasis !== undefined) parts.push({ kind: 'emphasis', text: emphasis });
    else parts.push(linkOrText(whole, label ?? '', href ?? ''));
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

/** Only addresses that cannot run script become links. */
function linkOrText(whole: string, text: string, href: string): Inline {
  return /^(https?:\/\/|\/(?!\/)|#)/.test(href)
    ? { kind: 'link', text, href }
    : { kind: 'text', text: whole };
}

function takeCode(lines: string[]): Block {
  lines.shift();
  const taken = takeWhile(lines, (line) => !FENCE.test(line));
  lines.shift();
  return { kind: 'code', text: taken.join('\n') };
}

function takeHeading(lines: string[]): Block {
  return { kind: 'heading', content: readInline(HEADING.exec(lines.shift() ?? '')?.[1] ?? '') };
}

/** An item goes on over lines that begin neither another item nor another block. */
function takeList(lines: string[], marker: RegExp): Block {
  const items: string[] = [];
  while (marker.test(lines[0] ?? '')) {
    const first = marker.exec(lines.shift() ?? '')?.[1] ?? '';
    items.push(joined([first, ...takeWhile(lines, isPlain)]));
  }
  return { kind: 'list', ordered: marker === NUMBER, items: items.map(readInline) };
}

function takeParagraph(lines: string[]): Block {
  const first = lines.shift() ?? '';
  return { kind: 'paragraph', content: readInline(joined([first, ...takeWhile(lines, isPlain)])) };
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(' ');
}

function isPlain(line: string): boolean {
  return line.trim() !== '' && ![FENCE, BULLET, NUMBER, HEADING].some((marker) => marker.test(line));
}

function takeWhile(lines: string[], accepts: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !accepts(line));
  return lines.splice(0, end === -1 ? lines.length : end);
}
