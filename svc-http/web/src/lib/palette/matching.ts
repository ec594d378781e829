/** What the palette finds: words in any order, better the earlier they are found, in groups. */

/** In the order in which they stand while nothing is asked. */
export const GROUPS = ['Recent', 'Channels', 'People', 'Pages', 'Actions', 'Articles', 'Messages'] as const;
export type GroupName = (typeof GROUPS)[number];

export interface Entry {
  /** The address that it leads to, or another word that no other entry has. */
  readonly id: string;
  readonly group: Exclude<GroupName, 'Recent'>;
  readonly title: string;
  readonly kind: string;
  /** Other words by which it is found. */
  readonly also?: string | undefined;
  /** Whose handle stands beside the title, when it is somebody. */
  readonly handle?: string | undefined;
  readonly keys?: string | undefined;
  /** Whether it stands there whatever is asked, as the server has found it. */
  readonly isFound?: boolean;
  readonly run: () => void;
}

export interface Group<Found> {
  readonly name: GroupName;
  readonly entries: readonly Found[];
}

type Matched = Pick<Entry, 'title' | 'also'>;
type Grouped = Matched & Pick<Entry, 'id' | 'group' | 'isFound'>;

/** How much better something recent is than something else: less than a better place of a word. */
const RECENT_BONUS = 0.5;

export function findEntries<Found extends Matched>(
  entries: readonly Found[],
  query: string,
  most = 12,
): Found[] {
  return scored(entries, query, () => 0)
    .slice(0, most)
    .map(({ entry }) => entry);
}

/**
 * What is found, in groups. While nothing is asked, what was open of late comes first; otherwise the group with the
 * best match does, and in it what was open of late before others that match as well.
 */
export function findGroups<Found extends Grouped>(
  entries: readonly Found[],
  query: string,
  recent: readonly string[],
  most = 5,
): Group<Found>[] {
  const isAsked = query.trim() !== '';
  const bonus = ({ id }: Found) => (recent.includes(id) ? RECENT_BONUS : 0);
  const local = scored(
    entries.filter(({ isFound }) => !isFound),
    query,
    isAsked ? bonus : () => 0,
  );
  const late = isAsked
    ? []
    : recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? []).slice(0, most);
  const groups = GROUPS.map((name) => {
    const own = local.filter(({ entry }) => entry.group === name && !late.includes(entry));
    const found = entries.filter(({ group, isFound }) => isFound && group === name);
    return {
      name,
      best: own[0]?.score ?? Infinity,
      entries: name === 'Recent' ? late : [...own.slice(0, most).map(({ entry }) => entry), ...found],
    };
  }).filter((group) => group.entries.length > 0);
  if (isAsked) groups.sort((left, right) => (left.best === right.best ? 0 : left.best - right.best));
  return groups.map(({ name, entries: found }) => ({ name, entries: found }));
}

function scored<Found extends Matched>(
  entries: readonly Found[],
  query: string,
  bonus: (entry: Found) => number,
): { entry: Found; score: number; index: number }[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .flatMap((entry, index) => {
      const score = scoreOf(entry, words);
      return score === undefined ? [] : [{ entry, score: score - bonus(entry), index }];
    })
    .sort((left, right) => left.score - right.score || left.index - right.index);
}

/** Lower is better; nothing when a word is missing. */
function scoreOf({ title, also = '' }: Matched, words: string[]): number | undefined {
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
