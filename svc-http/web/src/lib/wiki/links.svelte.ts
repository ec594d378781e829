/** The articles that a link can lead to, for completion while writing. */

import type { Api } from '../api/client';
import { isAborted } from '../api/problem';
import { listArticles } from './api';
import { linkCandidates, searchWords, type LinkCandidate } from './completion';
import { isSlug, slugOf } from './slug';

const MOST = 100;
const WAIT_MILLISECONDS = 150;

export class LinkTargets {
  readonly #api: Api;
  #loading: Promise<void> | undefined;
  #isComplete = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;

  #known: readonly LinkCandidate[] = $state.raw([]);

  constructor(api: Api) {
    this.#api = api;
  }

  /** The best matches among what is known, and a link to an article that is still to be written. */
  matching(query: string): readonly LinkCandidate[] {
    const found = linkCandidates(this.#known, query);
    const slug = slugOf(query);
    const isThere = this.#known.some((one) => one.slug === slug);
    return isSlug(slug) && !isThere ? [...found, { slug, title: query.trim(), isNew: true }] : found;
  }

  /** Asks for what the query may mean. */
  look(query: string): void {
    this.#loading ??= this.#ask('');
    clearTimeout(this.#timer);
    if (searchWords(query) === '') return;
    this.#timer = setTimeout(() => {
      if (!this.#isComplete) void this.#ask(query);
    }, WAIT_MILLISECONDS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  async #ask(query: string): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const q = searchWords(query);
    try {
      const page = await listArticles(
        this.#api,
        { ...(q === '' ? { sort: 'updated' } : { q }), limit: MOST },
        running.signal,
      );
      if (q === '') this.#isComplete = page.next_cursor == null;
      const fresh = page.articles.map(({ slug, title }) => ({ slug, title }));
      const slugs = new Set(fresh.map(({ slug }) => slug));
      this.#known = [...fresh, ...this.#known.filter(({ slug }) => !slugs.has(slug))];
    } catch (error) {
      // Without suggestions a link can still be typed.
      if (!isAborted(error) && q === '') this.#loading = undefined;
    }
  }
}
