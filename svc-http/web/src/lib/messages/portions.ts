/**
 * Which rows of a timeline are drawn. Drawing a whole page of it at once would hold up a slow device for a second; so
 * the rows that one looks at come first, and others a few at a time as one comes near them.
 */

/** Drawing that takes longer than this is felt, with all else that a frame needs. */
const SHORT_MILLISECONDS = 6;
const LARGEST_PORTION = 8;

/** The ends of what is drawn, as ids of messages. What comes beyond an end that is infinite is drawn at once. */
export interface Ends {
  readonly oldest: number;
  readonly newest: number;
}

/** On which side something is missing. */
export type Side = 'before' | 'after';

/** Positions in a list, the second exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

interface WithId {
  readonly id: number;
}

/** What is drawn at first: the newest row, or the one with which the view begins. */
export function firstSpan(length: number, at = length - 1): Span {
  const from = Math.max(0, Math.min(at, length - 1));
  return { from, to: Math.min(length, from + 1) };
}

/** What lies between the ends. */
export function spanOf(list: readonly WithId[], { oldest, newest }: Ends): Span {
  const from = list.findIndex(({ id }) => id >= oldest);
  const to = list.findLastIndex(({ id }) => id <= newest) + 1;
  // Of a window that lies elsewhere, the end that is closer to where it was.
  if (from === -1) return firstSpan(list.length);
  return { from, to: Math.max(from, to) };
}

/** Some more on one side. */
export function grown({ from, to }: Span, length: number, where: Side, rows: number): Span {
  return where === 'after'
    ? { from, to: Math.min(length, to + rows) }
    : { from: Math.max(0, from - rows), to };
}

/** How many rows are drawn in one go, after as many as `rows` took so long. */
export function nextPortion(rows: number, milliseconds: number): number {
  if (milliseconds > 2 * SHORT_MILLISECONDS) return Math.max(1, Math.floor(rows / 2));
  return milliseconds < SHORT_MILLISECONDS ? Math.min(LARGEST_PORTION, 2 * rows) : rows;
}

export function endsOf(list: readonly WithId[], { from, to }: Span): Ends {
  return {
    oldest: list[from]?.id ?? 0,
    newest: to < list.length ? (list[to - 1]?.id ?? Infinity) : Infinity,
  };
}
