/** The chips of a search: one for each kind of filter, whether it is used or not. */

import { LISTS, type ListName, type Search } from './query';

export type FilterName = ListName | 'date' | 'sort';

export interface FilterChip {
  readonly name: FilterName;
  /** What the chip is called while nothing is chosen. */
  readonly title: string;
  /** What is chosen, in words; nothing when the filter is not used. */
  readonly text: string | undefined;
  /** The parts of the search that a refusal may be about. */
  readonly fields: readonly string[];
}

const TITLES: Readonly<Record<FilterName, string>> = {
  channel: 'In',
  agent: 'From',
  has: 'Has',
  state: 'State',
  status: 'Status',
  date: 'Date',
  sort: 'Order',
};
const SIGNS: Readonly<Partial<Record<FilterName, string>>> = { channel: '#', agent: '@' };

/** The filters of a search, in the order of the chips. */
export function chipsOf(search: Search): FilterChip[] {
  return [
    ...LISTS.map((name) => ({ name, title: TITLES[name], text: listText(search, name), fields: [name] })),
    { name: 'date', title: TITLES.date, text: dateText(search), fields: ['after', 'before'] },
    {
      name: 'sort',
      title: TITLES.sort,
      text:
        search.sort === '' ? undefined : search.sort === 'newest' ? 'newest first' : 'most relevant first',
      fields: ['sort'],
    },
  ];
}

/** `#ops` and `not #noise`; a word with a gap instead of its line. */
export function valueText(name: ListName, value: string): string {
  const sign = SIGNS[name] ?? '';
  const isExcluded = isExcludable(name) && value.startsWith('-');
  const shown = isExcluded ? value.slice(1) : name === 'state' ? value.replaceAll('_', ' ') : value;
  return `${isExcluded ? 'not ' : ''}${sign}${shown}`;
}

/** Whether a filter can also leave something out. */
export function isExcludable(name: FilterName): boolean {
  return name === 'channel' || name === 'agent';
}

/** Turns a value into its contrary: what was looked for is left out. */
export function contraryOf(value: string): string {
  return value.startsWith('-') ? value.slice(1) : `-${value}`;
}

/** The search without anything of one filter. */
export function without(search: Search, name: FilterName): Search {
  if (name === 'date') return { ...search, after: '', before: '', page: 1 };
  if (name === 'sort') return { ...search, sort: '', page: 1 };
  return { ...search, [name]: [], page: 1 };
}

function listText(search: Search, name: ListName): string | undefined {
  const values = search[name];
  if (values.length === 0) return undefined;
  const word = TITLES[name].toLowerCase();
  const texts = values.map((value) => valueText(name, value));
  const [first = ''] = texts;
  // A chip that only leaves out is told apart from one that looks there.
  if (texts.length === 1 && first.startsWith('not ')) return `not ${word} ${first.slice('not '.length)}`;
  return `${word} ${texts.join(', ')}`;
}

function dateText({ after, before }: Search): string | undefined {
  if (after === '' && before === '') return undefined;
  return [after && `after ${after}`, before && `before ${before}`].filter(Boolean).join(', ');
}
