/** The emoji that the hub knows: reading of its list, search, shortcodes. */

export interface Emoji {
  /** The character. */
  readonly text: string;
  /** Shortcodes without colons, the usual one first. */
  readonly names: readonly string[];
}

export interface Category {
  readonly name: string;
  readonly title: string;
  readonly emoji: readonly Emoji[];
}

/** In the order in which they are chosen from. */
const TITLES: Readonly<Record<string, string>> = {
  smileys: 'Smileys',
  people: 'People',
  animals: 'Animals and nature',
  food: 'Food and drink',
  travel: 'Travel and places',
  activities: 'Activities',
  objects: 'Objects',
  symbols: 'Symbols',
  flags: 'Flags',
};
const VARIANTS = /^[*+=]{1,2}$/;

/** Reads the list: `:category` lines, lines of an emoji and its names, and the regions of flags as the last line. */
export function readList(text: string): Category[] {
  const found = new Map<string, Emoji[]>();
  let category = '';
  for (const line of text.split('\n')) {
    if (line.startsWith(':')) category = line.slice(1);
    else if (category === 'regions') flagsOf(line, found);
    else if (category !== '' && line !== '') {
      const [emoji = '', ...names] = line.split(' ');
      if (VARIANTS.test(names.at(-1) ?? '')) names.pop();
      add(found, category, { text: emoji, names });
    }
  }
  return Object.entries(TITLES).map(([name, title]) => ({ name, title, emoji: found.get(name) ?? [] }));
}

function add(found: Map<string, Emoji[]>, category: string, emoji: Emoji): void {
  const all = found.get(category) ?? [];
  all.push(emoji);
  found.set(category, all);
}

function flagsOf(line: string, found: Map<string, Emoji[]>): void {
  const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  for (const code of line.split(' ')) {
    if (!/^[A-Z]{2}$/.test(code)) continue;
    const text = String.fromCodePoint(...[...code].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 65));
    const country = (countries.of(code) ?? '')
      .normalize('NFD')
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, '_');
    const names = [`flag_${code.toLowerCase()}`, ...(country === '' ? [] : [`flag_${country}`])];
    add(found, 'flags', { text, names });
  }
}

/** The emoji with this shortcode. */
export function named(categories: readonly Category[], name: string): Emoji | undefined {
  for (const { emoji } of categories) {
    const one = emoji.find(({ names }) => names.includes(name));
    if (one) return one;
  }
  return undefined;
}

/** Emoji whose names fit, the best first: a whole name, its beginning, the beginning of a word in it, all words. */
export function search(categories: readonly Category[], query: string, most: number): Emoji[] {
  const words = query
    .toLowerCase()
    .split(/[^a-z0-9+-]+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const wanted = words.join('_');
  const rank = ({ names }: Emoji) => Math.min(...names.map((name) => rankOf(name, wanted, words)));
  return categories
    .flatMap(({ emoji }) => emoji)
    .map((emoji) => ({ emoji, rank: rank(emoji) }))
    .filter(({ rank }) => rank < 4)
    .sort((left, right) => left.rank - right.rank)
    .slice(0, most)
    .map(({ emoji }) => emoji);
}

function rankOf(name: string, wanted: string, words: readonly string[]): number {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(`_${wanted}`)) return 2;
  return words.every((word) => name.includes(word)) ? 3 : 4;
}

/** The name of an emoji that is found with `wanted`: the one that fits best. */
export function bestName({ names }: Emoji, wanted: string): string {
  return (
    names.find((name) => name.startsWith(wanted)) ??
    names.find((name) => name.includes(wanted)) ??
    names[0] ??
    ''
  );
}

/** A name as it is read out. */
export function spoken({ names }: Emoji): string {
  return (names[0] ?? '').replaceAll('_', ' ');
}
