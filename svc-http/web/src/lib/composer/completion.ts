/** Completion of `@handle`, `#channel` and `:emoji` while writing. */

import { bestName, search, type Category } from '../emoji/list';

export interface Trigger {
  readonly sign: '@' | '#' | ':';
  readonly query: string;
  /** Where the sign stands. */
  readonly from: number;
  readonly to: number;
}

export interface Candidate {
  /** The handle or the name of the channel, without its sign. */
  readonly name: string;
  readonly title: string;
  readonly kind: 'human' | 'agent' | 'system' | 'channel' | 'emoji';
}

/** A shortcode: after a space or an opening sign, so that no time of day is one. */
const SHORTCODE = /(?:^|[\s([{>"'*_~,;]):([a-z0-9_+-]{2,40})(:?)$/i;

/** What is being named at the caret: a sign at the beginning of a word, and what follows it. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const match = /(?:^|[\s([{>"'*_~,;:])([@#])([\p{L}\p{N}_.-]{0,63})$/u.exec(text.slice(0, caret));
  if (!match) return shortcodeAt(text, caret);
  const [, sign, query = ''] = match;
  if (isInCode(text.slice(0, caret))) return undefined;
  return { sign: sign as '@' | '#', query, from: caret - query.length - 1, to: caret };
}

function shortcodeAt(text: string, caret: number): Trigger | undefined {
  const [, query = '', end] = SHORTCODE.exec(text.slice(0, caret)) ?? [];
  if (query === '' || end !== '' || isInCode(text.slice(0, caret))) return undefined;
  return { sign: ':', query, from: caret - query.length - 1, to: caret };
}

/** A shortcode that was just closed by its second colon, with both colons. */
export function closedShortcode(text: string, caret: number): Trigger | undefined {
  const [, query = '', end] = SHORTCODE.exec(text.slice(0, caret)) ?? [];
  if (query === '' || end !== ':' || isInCode(text.slice(0, caret))) return undefined;
  return { sign: ':', query: query.toLowerCase(), from: caret - query.length - 2, to: caret };
}

/** The emoji whose shortcodes fit. */
export function emojiFor(categories: readonly Category[], { query }: Trigger, most = 8): Candidate[] {
  const wanted = query.toLowerCase();
  return search(categories, wanted, most).map((emoji) => ({
    name: emoji.text,
    title: `:${bestName(emoji, wanted)}:`,
    kind: 'emoji',
  }));
}

/** Whether an open fence or an open backtick stands before the caret. */
function isInCode(before: string): boolean {
  const fences = before.match(/^ {0,3}```/gm)?.length ?? 0;
  if (fences % 2 === 1) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return (line.match(/`/g)?.length ?? 0) % 2 === 1;
}

/** Names that begin with the query first, then those that contain it. */
export function candidatesFor(all: readonly Candidate[], { sign, query }: Trigger, most = 8): Candidate[] {
  const wanted = query.toLowerCase();
  const fitting = all.filter(({ kind }) => (kind === 'channel') === (sign === '#'));
  const rank = ({ name, title }: Candidate) => {
    if (name.toLowerCase().startsWith(wanted)) return 0;
    if (title.toLowerCase().startsWith(wanted)) return 1;
    return name.toLowerCase().includes(wanted) || title.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return fitting
    .map((candidate) => ({ candidate, rank: rank(candidate) }))
    .filter(({ rank }) => rank < 3)
    .sort((left, right) => left.rank - right.rank)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** The text with the name or the emoji in place, and where the caret goes. */
export function complete(text: string, trigger: Trigger, name: string): { text: string; caret: number } {
  const rest = text.slice(trigger.to);
  const space = /^\s/.test(rest) ? '' : ' ';
  const sign = trigger.sign === ':' ? '' : trigger.sign;
  const before = `${text.slice(0, trigger.from)}${sign}${name}${space}`;
  return { text: before + rest, caret: before.length + (space === '' ? 1 : 0) };
}
