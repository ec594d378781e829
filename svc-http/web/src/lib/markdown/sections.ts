/** Headings of an article: real ones, with addresses, below the heading of the page and without gaps between levels. */

import type { StateCore, Token } from 'markdown-it';

export interface Section {
  readonly id: string;
  readonly text: string;
  /** 0 for those that stand under no other. */
  readonly depth: number;
}

interface SectionEnv {
  /** Gathers the headings; without it they are drawn as in messages. */
  sections?: Section[];
}

/** Keeps headings apart from other parts of the page. */
const PREFIX = 'section-';
const DEEPEST = 4;

export function sectionsRule(state: StateCore): void {
  const { sections } = state.env as SectionEnv;
  if (!sections) return;
  const open: number[] = [];
  const taken = new Set<string>();
  for (const [index, token] of state.tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const level = Number(token.tag.slice(1));
    while ((open.at(-1) ?? 0) >= level) open.pop();
    const depth = Math.min(open.length, DEEPEST);
    open.push(level);
    const text = wordsOf(state.tokens[index + 1]);
    const id = newId(text, taken);
    sections.push({ id, text, depth });
    token.meta = { id, depth };
    const close = state.tokens[index + 2];
    if (close) close.meta = { depth };
  }
}

/** Where a heading stands; nothing for one of a message. */
export function placeOf(token: Token | undefined): { id: string; depth: number } | undefined {
  return (token?.meta as { id: string; depth: number } | null) ?? undefined;
}

function wordsOf(inline: Token | undefined): string {
  const parts = (inline?.children ?? []).map(({ type, content }) =>
    type === 'text' || type === 'code_inline' || type === 'image'
      ? content
      : type.endsWith('break')
        ? ' '
        : '',
  );
  return parts.join('').trim();
}

function newId(text: string, taken: Set<string>): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const base = `${PREFIX}${words || 'part'}`;
  let id = base;
  for (let number = 2; taken.has(id); number += 1) id = `${base}-${number}`;
  taken.add(id);
  return id;
}
