/** The history of an article: its revisions page by page, and the difference between two of them. */

import { untrack } from 'svelte';
import type { Api } from '../api/client';
import { Problem, isAborted, reasonOf } from '../api/problem';
import { Resource } from '../api/resource.svelte';
import type { Live } from '../live/live.svelte';
import { getDiff, listRevisions } from './api';
import type { ArticleDiff, Revision } from './types';

const PAGE = 50;

export class History {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  readonly slug: string;
  #cursor: number | undefined;
  #question = 0;
  #range: { from: number; to: number } | undefined;
  readonly diff: Resource<ArticleDiff | undefined>;

  all: readonly Revision[] | undefined = $state.raw();
  failure: string | undefined = $state();
  isMissing = $state(false);
  hasMore = $state(false);
  busy = $state(false);

  constructor(api: Api, live: Pick<Live, 'on'>, slug: string) {
    this.#api = api;
    this.#live = live;
    this.slug = slug;
    this.diff = new Resource(async (signal) => {
      const range = this.#range;
      return range ? getDiff(api, slug, range, signal) : undefined;
    });
  }

  /** The newest revision that is known. */
  get newest(): number | undefined {
    return this.all?.[0]?.number;
  }

  async compare(range: { from: number; to: number } | undefined): Promise<void> {
    this.#range = range;
    await this.diff.load();
  }

  load(): Promise<void> {
    return this.#ask(undefined);
  }

  more(): Promise<void> {
    return this.busy || this.#cursor === undefined ? Promise.resolve() : this.#ask(this.#cursor);
  }

  /** Loads it, and keeps it current until the result is called. */
  watch(): () => void {
    // Whoever watches in an effect does not depend on what comes.
    untrack(() => void this.load());
    const off = [
      this.#live.on('wiki_changed', ({ slug, renamed_from }) => {
        if (slug === this.slug || renamed_from === this.slug) void this.load();
      }),
      this.#live.on('reset', () => void this.load()),
    ];
    return () => {
      for (const stop of off) stop();
      this.#question += 1;
      this.diff.stop();
    };
  }

  async #ask(cursor: number | undefined): Promise<void> {
    const question = ++this.#question;
    this.busy = true;
    try {
      const limit = cursor === undefined ? Math.min(Math.max(this.all?.length ?? 0, PAGE), 200) : PAGE;
      const page = await listRevisions(this.#api, this.slug, {
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      if (question !== this.#question) return;
      this.all = cursor === undefined ? page.revisions : [...(this.all ?? []), ...page.revisions];
      this.#cursor = page.next_cursor ?? undefined;
      this.hasMore = this.#cursor !== undefined;
      this.failure = undefined;
      this.isMissing = false;
    } catch (error) {
      if (question !== this.#question || isAborted(error)) return;
      this.isMissing = error instanceof Problem && error.status === 404;
      this.failure = this.isMissing ? undefined : reasonOf(error);
    } finally {
      if (question === this.#question) this.busy = false;
    }
  }
}

/** The two revisions that an address asks to compare. */
export function readRange(query: URLSearchParams): { from: number; to: number } | undefined {
  const [from, to] = [Number(query.get('from') ?? NaN), Number(query.get('to') ?? NaN)];
  const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && to > from;
  return isRange ? { from, to } : undefined;
}
