/** The home of the wiki: the map, what changed last, what was deleted, and what is found. */

import type { Api } from '../api/client';
import { Resource } from '../api/resource.svelte';
import type { Live } from '../live/live.svelte';
import * as calls from './api';
import { searchWords } from './completion';
import type { ArticlePage, ArticleSummary, WikiMap } from './types';

const RECENT = 20;
const FOUND = 30;

export class WikiHome {
  readonly #live: Pick<Live, 'on'>;
  readonly #map: Resource<WikiMap>;
  readonly #recent: Resource<readonly ArticleSummary[]>;
  readonly #deleted: Resource<readonly ArticleSummary[]>;

  constructor(api: Api, live: Pick<Live, 'on'>) {
    this.#live = live;
    this.#map = new Resource((signal) => calls.getMap(api, signal));
    this.#recent = new Resource(
      async (signal) => (await calls.listArticles(api, { sort: 'updated', limit: RECENT }, signal)).articles,
    );
    this.#deleted = new Resource(
      async (signal) => (await calls.listArticles(api, { state: 'deleted', limit: RECENT }, signal)).articles,
    );
  }

  get map(): WikiMap | undefined {
    return this.#map.value;
  }

  get recent(): readonly ArticleSummary[] {
    return this.#recent.value ?? [];
  }

  get deleted(): readonly ArticleSummary[] {
    return this.#deleted.value ?? [];
  }

  get failure(): string | undefined {
    return this.#map.failure ?? this.#recent.failure ?? this.#deleted.failure;
  }

  /** Whether everything has come once, so that nothing moves afterwards. */
  get isLoaded(): boolean {
    return this.#all.every(({ value }) => value !== undefined);
  }

  get #all() {
    return [this.#map, this.#recent, this.#deleted] as const;
  }

  async load(): Promise<void> {
    await Promise.all(this.#all.map((one) => one.load()));
  }

  /** Loads everything, and keeps it current until the result is called. */
  watch(): () => void {
    void this.load();
    const off = [
      this.#live.on('wiki_changed', () => {
        for (const one of this.#all) one.loadSoon();
      }),
      this.#live.on('reset', () => void this.load()),
    ];
    return () => {
      for (const stop of off) stop();
      for (const one of this.#all) one.stop();
    };
  }
}

/** What is found for words that are being typed. */
export class ArticleFinder {
  #typed = '';
  readonly found: Resource<(ArticlePage & { readonly typed: string }) | undefined>;

  constructor(api: Api) {
    this.found = new Resource(async (signal) => {
      const typed = this.#typed;
      const q = queryOf(typed);
      if (q === '') return undefined;
      return { ...(await calls.listArticles(api, { q, limit: FOUND }, signal)), typed };
    });
  }

  async show(typed: string): Promise<void> {
    this.#typed = typed;
    await this.found.load();
  }
}

/** Plain words are taken as beginnings; whoever uses the signs of a search gets what they say. */
export function queryOf(typed: string): string {
  const words = typed.trim();
  return /["*]|(^|\s)-\S/.test(words) ? words : searchWords(words);
}
