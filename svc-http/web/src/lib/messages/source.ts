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

  load(wanted: Wanted): Promise<Page> {
    const query = { ...wanted, ...(this.#agent === undefined ? {} : { with: this.#agent }) };
    const params = { path: { name: this.#name }, query };
    return answer(this.#api.GET('/api/dm/{name}/messages', { params }));
  }
}
