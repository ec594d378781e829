/** The configurations of an agent's clients, asked for as they are looked at. */

import { answer, type Api } from '../api/client';
import { reasonOf } from '../api/problem';
import type { ClientChoice, Transport } from './snippets';

export class Configs {
  readonly #api: Api;
  readonly #agent: string;
  readonly #known = new Map<string, string>();
  #wanted = '';

  text: string | undefined = $state();
  failure: string | undefined = $state();

  constructor(api: Api, agent: string) {
    this.#api = api;
    this.#agent = agent;
  }

  /** Shows the configuration for a client and a way; an answer that comes too late is kept, not shown. */
  async show(kind: ClientChoice, transport: Transport): Promise<void> {
    const wanted = `${kind} ${transport}`;
    this.#wanted = wanted;
    this.failure = undefined;
    this.text = this.#known.get(wanted);
    if (this.text !== undefined) return;
    try {
      const text = await answer(
        this.#api.GET('/api/agents/{name}/mcp-config', {
          params: {
            path: { name: this.#agent },
            query: { transport, ...(kind === 'common' ? {} : { client: kind }) },
          },
          parseAs: 'text',
        }),
      );
      this.#known.set(wanted, text as string);
      if (this.#wanted === wanted) this.text = text as string;
    } catch (error) {
      if (this.#wanted === wanted) this.failure = reasonOf(error);
    }
  }
}
