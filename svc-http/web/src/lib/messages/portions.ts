/**
 * Which rows of a timeline are drawn. Drawing a whole page of it at once would hold up a slow device for a second; so
 * the rows that one looks at come first, and others a few at a time as one comes near them.
 */

/** What is drawn in one go at first. */
const FIRST = 2;
const MORE = 2;
/** Above the row with which the view begins. */
const ABOVE = 4;

/** The ends of what is drawn, as ids of messages. What comes beyond an end that is infinite is drawn at once. */
export interface Ends {
  readonly oldest: number;
  readonly newest: number;
}

/** Positions in a list, the second exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

interface WithId {
  readonly id: number;
}

/** What is drawn at first: the newest, or what is around the position at which the view begins. */
export function firstSpan(length: number, at?: number): Span {
  const from = at === undefined ? Math.max(0, length - FIRST) : Math.max(0, at - ABOVE);
  return { from, to: at === undefined ? length : Math.min(length, from + ABOVE + FIRST) };
}

/** What lies between the ends. */
export function spanOf(list: readonly WithId[], { oldest, newest }: Ends): Span {
  const from = list.findIndex(({ id }) => id >= oldest);
  const to = list.findLastIndex(({ id }) => id <= newest) + 1;
  // Of a window that lies elsewhere, the end that is closer to where it was.
  if (from === -1) return { from: Math.max(0, list.length - MORE), to: list.length };
  return { from, to: Math.max(from, to) };
}

/** A few more on one side. */
export function grown({ from, to }: Span, length: number, where: 'before' | 'after'): Span {
  return where === 'after'
    ? { from, to: Math.min(length, to + MORE) }
    : { from: Math.max(0, from - MORE), to };
}

export function endsOf(list: readonly WithId[], { from, to }: Span): Ends {
  return {
    oldest: list[from]?.id ?? 0,
    newest: to < list.length ? (list[to - 1]?.id ?? Infinity) : Infinity,
  };
}
