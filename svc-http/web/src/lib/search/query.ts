/**
 * What is looked for, as a person types it, as the address keeps it and as the server takes it.
 *
 * The server takes words and filters apart. People type both into one box: `deploy in:ops from:builder
 * has:attachment`. Filters are taken out of the text here and shown as chips.
 */

export const HAS = ['attachment', 'reaction', 'mention'] as const;
export const STATES = ['proposed', 'approved', 'in_progress', 'rejected', 'done', 'published'] as const;
export const STATUSES = ['pending', 'processing', 'done', 'failed'] as const;
export const SORTS = ['relevance', 'newest'] as const;

/** Filters with several values; `-` before a channel or an agent leaves it out. */
export const LISTS = ['channel', 'agent', 'has', 'state', 'status'] as const;
export type ListName = (typeof LISTS)[number];

export interface Search {
  readonly q: string;
  readonly channel: readonly string[];
  readonly agent: readonly string[];
  readonly has: readonly string[];
  readonly state: readonly string[];
  readonly status: readonly string[];
  readonly after: string;
  readonly before: string;
  /** Empty: the server chooses. */
  readonly sort: string;
  /** From 1. */
  readonly page: number;
}

export const NO_SEARCH: Search = {
  q: '',
  channel: [],
  agent: [],
  has: [],
  state: [],
  status: [],
  after: '',
  before: '',
  sort: '',
  page: 1,
};

/** How filters are typed; other words with a colon are words. */
const TYPED: Readonly<Record<string, ListName | 'after' | 'before' | 'sort'>> = {
  in: 'channel',
  channel: 'channel',
  from: 'agent',
  agent: 'agent',
  has: 'has',
  is: 'state',
  state: 'state',
  status: 'status',
  after: 'after',
  since: 'after',
  before: 'before',
  until: 'before',
  sort: 'sort',
};
const EXCLUDABLE: ReadonlySet<string> = new Set(['channel', 'agent']);

/** Adds what was typed to the filters that are there: words replace the words before. */
export function readTyped(text: string, search: Search): Search {
  const words: string[] = [];
  let result: Search = { ...search, page: 1 };
  for (const [part] of text.matchAll(/-?"[^"]*"?|\S+/gu)) {
    const filter = readFilter(part);
    if (filter === undefined) words.push(part);
    else for (const value of filter.values) result = withFilter(result, filter.name, value);
  }
  return { ...result, q: words.join(' ') };
}

function readFilter(
  part: string,
): { name: ListName | 'after' | 'before' | 'sort'; values: string[] } | undefined {
  const match = /^(-?)([a-z]+):(.+)$/iu.exec(part);
  const name = TYPED[match?.[2]?.toLowerCase() ?? ''];
  if (!match || name === undefined) return undefined;
  const excluded = match[1] === '-';
  if (excluded && !EXCLUDABLE.has(name)) return undefined;
  const values = (match[3] ?? '')
    .split(',')
    .map((value) => value.replace(/^(-?)[#@]/u, '$1'))
    .filter((value) => value !== '' && value !== '-')
    .map((value) => (excluded && !value.startsWith('-') ? `-${value}` : value));
  return values.length > 0 ? { name, values } : undefined;
}

/** With one filter more. A list takes a value once, and not together with its contrary. */
export function withFilter(
  search: Search,
  name: ListName | 'after' | 'before' | 'sort',
  value: string,
): Search {
  if (name === 'after' || name === 'before' || name === 'sort') return { ...search, [name]: value, page: 1 };
  const others = search[name].filter((one) => bare(one) !== bare(value));
  return { ...search, [name]: [...others, value], page: 1 };
}

export function withoutFilter(
  search: Search,
  name: ListName | 'after' | 'before' | 'sort',
  value: string,
): Search {
  if (name === 'after' || name === 'before' || name === 'sort') return { ...search, [name]: '', page: 1 };
  return { ...search, [name]: search[name].filter((one) => one !== value), page: 1 };
}

function bare(value: string): string {
  return value.replace(/^-/, '').toLowerCase();
}

/** Whether anything is looked for; the order alone is no question. */
export function isEmpty(search: Search): boolean {
  return (
    search.q === '' &&
    search.after === '' &&
    search.before === '' &&
    LISTS.every((name) => search[name].length === 0)
  );
}

/** The search that an address holds. Filters among its words count as if they had been typed. */
export function readAddress(query: URLSearchParams): Search {
  const list = (name: string) => (query.get(name) ?? '').split(',').filter((value) => value !== '');
  const page = Number(query.get('page') ?? '1');
  const held: Search = {
    q: '',
    channel: list('channel'),
    agent: list('agent'),
    has: list('has'),
    state: list('state'),
    status: list('status'),
    after: query.get('after') ?? '',
    before: query.get('before') ?? '',
    sort: query.get('sort') ?? '',
    page: 1,
  };
  return {
    ...readTyped(query.get('q') ?? '', held),
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** What of the query of an address a search is; empty parts are taken out. */
export function writeAddress(search: Search): Record<string, string> {
  return {
    q: search.q,
    ...Object.fromEntries(LISTS.map((name) => [name, search[name].join(',')])),
    after: search.after,
    before: search.before,
    sort: search.sort,
    page: search.page > 1 ? String(search.page) : '',
  };
}

/** The search as it could be typed, without its page. */
export function writeTyped(search: Search): string {
  const words: Record<ListName, string> = {
    channel: 'in',
    agent: 'from',
    has: 'has',
    state: 'is',
    status: 'status',
  };
  return [
    search.q,
    ...LISTS.flatMap((name) => search[name].map((value) => typedFilter(words[name], value))),
    ...(['after', 'before', 'sort'] as const).flatMap((name) =>
      search[name] === '' ? [] : [`${name}:${search[name]}`],
    ),
  ]
    .filter(Boolean)
    .join(' ');
}

function typedFilter(word: string, value: string): string {
  return value.startsWith('-') ? `-${word}:${value.slice(1)}` : `${word}:${value}`;
}
