/** What the palette finds: words in any order, better the earlier they are found. */

export interface Entry {
  readonly title: string;
  readonly kind: string;
  /** Other words by which it is found. */
  readonly also?: string | undefined;
  /** Whose handle stands beside the title, when it is somebody. */
  readonly handle?: string | undefined;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

export function findEntries<Found extends Pick<Entry, 'title' | 'also'>>(
  entries: readonly Found[],
  query: string,
  most = 12,
): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = entries.flatMap((entry, index) => {
    const score = scoreOf(entry, words);
    return score === undefined ? [] : [{ entry, score, index }];
  });
  scored.sort((left, right) => left.score - right.score || left.index - right.index);
  return scored.slice(0, most).map(({ entry }) => entry);
}

/** Lower is better; nothing when a word is missing. */
function scoreOf({ title, also = '' }: Pick<Entry, 'title' | 'also'>, words: string[]): number | undefined {
  const name = title.toLowerCase();
  let score = 0;
  for (const word of words) {
    const at = name.indexOf(word);
    if (at === 0) score += name === word ? -2 : -1;
    else if (at > 0) score += /[\s_#@./-]/.test(name[at - 1] ?? '') ? 0 : 2;
    else if (also.toLowerCase().includes(word)) score += 4;
    else return undefined;
  }
  return score;
}
