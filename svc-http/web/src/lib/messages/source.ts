/** Where a timeline gets its messages from: a channel, or the direct messages with somebody. */

import { answer, type Api, type Schemas } from '../api/client';

export type Page = Schemas['Timeline'];

/** At most one of the three; without any, the newest page. */
export interface Wanted {
  readonly before?: number;
  readonly after?: number;
  readonly around?: number;
  readonly limit: number;
}

/** What a conversation is called, everywhere that one is meant. */
export interface Place {
  readonly kind: 'channel' | 'dm';
  readonly name: string;
}

export interface MessageSource {
  load(wanted: Wanted): Promise<Page>;
}

export function sourceOf(api: Api, { kind, name }: Place): MessageSource {
  return kind === 'channel' ? new ChannelSource(api, name) : new DirectSource(api, name);
}

class ChannelSource implements MessageSource {
  readonly #api: Api;
  readonly #name: string;

  constructor(api: Api, name: string) {
    this.#api = api;
    this.#name = name;
  }

  load(wanted: Wanted): Promise<Page> {
    const params = { path: { name: this.#name }, query: { ...wanted } };
    return answer(this.#api.GET('/api/channels/{name}/messages', { params }));
  }
}

/** How far back a direct message is looked for, in pages of the largest size. */
const MOST_PAGES = 25;
const LARGEST_PAGE = 200;
/** What follows a message is mostly a single one that has just been said. */
const SMALL_PAGE = 20;

/**
 * The server pages direct messages backwards only. Whatever else is wanted is found on the way back
 * from the newest: exact, though longer for what is old.
 */
export class DirectSource implements MessageSource {
  readonly #api: Api;
  readonly #name: string;
  readonly #agent: string | undefined;

  /** With one of my agents, what it and the other have written to each other. */
  constructor(api: Api, name: string, agent?: string) {
    this.#api = api;
    this.#name = name;
    this.#agent = agent;
  }

  async load({ before, after, around, limit }: Wanted): Promise<Page> {
    const from = after ?? around;
    if (from === undefined) return this.#page(before, limit);

    let page = await this.#page(undefined, after === undefined ? LARGEST_PAGE : SMALL_PAGE);
    for (let pages = 1; pages < MOST_PAGES; pages += 1) {
      const oldest = page.messages[0];
      if (!oldest || oldest.id <= from || !page.has_more_before) break;
      const older = await this.#page(oldest.id, LARGEST_PAGE);
      page = {
        ...page,
        messages: [...older.messages, ...page.messages],
        has_more_before: older.has_more_before,
      };
    }
    if (after === undefined) return page;
    return { ...page, messages: page.messages.filter(({ id }) => id > after), has_more_before: true };
  }

  #page(before: number | undefined, limit: number): Promise<Page> {
    const query = {
      limit,
      ...(before === undefined ? {} : { before }),
      ...(this.#agent === undefined ? {} : { with: this.#agent }),
    };
    const params = { path: { name: this.#name }, query };
    return answer(this.#api.GET('/api/dm/{name}/messages', { params }));
  }
}
