/** Asks for the messages of a search, and knows which part of the search a refusal is about. */

import { answer, type Api, type Schemas } from '../api/client';
import { Problem } from '../api/problem';
import { Resource } from '../api/resource.svelte';
import { isEmpty, NO_SEARCH, type Search } from './query';

export const PAGE_SIZE = 25;

export interface Found {
  readonly search: Search;
  readonly hits: readonly Schemas['SearchHit'][];
  readonly total: number;
  /** Of very many only so many are counted. */
  readonly isExact: boolean;
  /** The search was stopped before it had looked everywhere. */
  readonly isPartial: boolean;
}

const format = new Intl.NumberFormat('en');

/** `1 message`, `7 messages`; `10,000+ messages` when there are more. */
export function totalText({ total, isExact }: Pick<Found, 'total' | 'isExact'>): string {
  return `${format.format(total)}${isExact ? '' : '+'} ${total === 1 && isExact ? 'message' : 'messages'}`;
}

export class Finder {
  #search: Search = NO_SEARCH;
  readonly found: Resource<Found | undefined>;

  /** What is wrong with the search itself, by its parts; other failures concern the connection. */
  readonly problems: Readonly<Record<string, string>> = $derived.by(() => {
    const { error } = this.found;
    if (!(error instanceof Problem) || error.status >= 500 || error.status === 429) return {};
    const fields = error.fields.map(({ field, message }) => [field, message] as const);
    return fields.length > 0 ? Object.fromEntries(fields) : { q: error.detail };
  });
  readonly pages: number = $derived.by(() =>
    Math.max(1, Math.ceil((this.found.value?.total ?? 0) / PAGE_SIZE)),
  );

  constructor(api: Api) {
    this.found = new Resource(async (signal) => {
      const search = this.#search;
      if (isEmpty(search)) return undefined;
      const query = toQuery(search);
      const page = await answer(api.GET('/api/messages/search', { params: { query }, signal }));
      return {
        search,
        hits: page.messages,
        total: page.total,
        // An older server, as during an update, may leave out both fields: it has counted and searched everything.
        isExact: page.total_is_exact !== false,
        isPartial: page.partial === true,
      };
    });
  }

  show(search: Search): Promise<void> {
    this.#search = search;
    return this.found.load();
  }
}

/** The search as the server takes it. */
export function toQuery(search: Search, limit = PAGE_SIZE): Record<string, string | number> {
  const { q, after, before, sort, page } = search;
  const texts = {
    q,
    channel: search.channel.join(','),
    agent: search.agent.join(','),
    has: search.has.join(','),
    state: search.state.join(','),
    status: search.status.join(','),
    after,
    before,
    sort,
  };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    limit,
    offset: (page - 1) * limit,
  };
}
