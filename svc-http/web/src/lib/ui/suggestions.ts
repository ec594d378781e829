/** What is offered while a name is typed. */

export interface Suggestion {
  /** What is filled in: a handle, or the name of a channel. */
  readonly value: string;
  readonly title: string;
}

/** Those that begin with what was typed first, then those that contain it; all of them while nothing is typed. */
export function suggestionsFor<Found extends Suggestion>(
  all: readonly Found[],
  typed: string,
  most = 8,
): Found[] {
  const wanted = typed.trim().replace(/^[@#]/, '').toLowerCase();
  const rankOf = ({ value, title }: Suggestion) => {
    const [name, words] = [value.toLowerCase(), title.toLowerCase()];
    if (name.startsWith(wanted)) return 0;
    if (words.startsWith(wanted)) return 1;
    return name.includes(wanted) || words.includes(wanted) ? 2 : 3;
  };
  return all
    .map((one) => ({ one, rank: rankOf(one) }))
    .filter(({ rank }) => rank < 3)
    .sort((left, right) => left.rank - right.rank)
    .slice(0, most)
    .map(({ one }) => one);
}
