/** The directory: people or agents by handle, found by name, page by page. */

import { answer, type Api } from '../api/client';
import { isAborted, reasonOf } from '../api/problem';
import type { Profile } from './profiles.svelte';

const PAGE = 50;

export type Kind = 'human' | 'agent';

export class PeopleList {
  readonly #api: Api;
  /** Answers to anything but the newest question are outdated. */
  #question = 0;
  #cursor: string | undefined;
  #wanted: { readonly kind: Kind; readonly query: string } = { kind: 'human', query: '' };

  /** Nothing until the first page is there. */
  all: readonly Profile[] | undefined = $state.raw();
  hasMore = $state(false);
  busy = $state(false);
  failure: string | undefined = $state();

  constructor(api: Api) {
    this.#api = api;
  }

  /** Shows those of a kind whose names contain a text. */
  async search(kind: Kind, query: string): Promise<void> {
    if (kind !== this.#wanted.kind) this.all = undefined;
    this.#wanted = { kind, query: query.trim() };
    await this.load();
  }

  /** Loads the beginning again. */
  async load(): Promise<void> {
    await this.#turn(undefined, () => []);
  }

  /** Adds what follows. */
  async more(): Promise<void> {
    if (!this.busy && this.hasMore) await this.#turn(this.#cursor, () => this.all ?? []);
  }

  /** Takes over the newest state of somebody on screen. */
  put(profile: Profile): void {
    this.all = this.all?.map((known) => (known.handle === profile.handle ? profile : known));
  }

  async #turn(cursor: string | undefined, before: () => readonly Profile[]): Promise<void> {
    const question = ++this.#question;
    const { kind, query } = this.#wanted;
    this.busy = true;
    try {
      const page = await answer(
        this.#api.GET('/api/directory', {
          params: {
            query: { kind, limit: PAGE, ...(query === '' ? {} : { query }), ...(cursor ? { cursor } : {}) },
          },
        }),
      );
      if (question !== this.#question) return;
      this.all = [...before(), ...page.profiles];
      this.#cursor = page.next_cursor ?? undefined;
      this.hasMore = this.#cursor !== undefined;
      this.failure = undefined;
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      if (question === this.#question) this.busy = false;
    }
  }
}
