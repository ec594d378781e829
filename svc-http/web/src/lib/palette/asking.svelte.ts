/** What the server finds for the palette: articles and messages. It is asked when nobody has typed for a moment. */

import { answer, type Api, type Schemas } from '../api/client';
import { toQuery } from '../search/finder.svelte';
import { isEmpty, NO_SEARCH, readTyped } from '../search/query';
import { listArticles } from '../wiki/api';
import { searchWords } from '../wiki/completion';
import type { ArticleSummary } from '../wiki/types';

const TYPING_MILLISECONDS = 200;
const SHORTEST = 3;
const MOST_ARTICLES = 5;
const MOST_MESSAGES = 5;

export class Asking {
  readonly #api: Api;

  articles: readonly ArticleSummary[] = $state.raw([]);
  messages: readonly Schemas['SearchHit'][] = $state.raw([]);

  constructor(api: Api) {
    this.#api = api;
  }

  /** Asks soon; the result gives that up. Without answers the palette leads to everything else. */
  ask(query: string): () => void {
    // A sign asks for somebody, or for a channel.
    const text = /^[@#]/.test(query.trim()) ? '' : query.trim();
    if (text.length < SHORTEST) {
      this.articles = [];
      this.messages = [];
      return () => undefined;
    }
    const running = new AbortController();
    const timer = setTimeout(() => {
      void this.#askForArticles(text, running.signal);
      void this.#askForMessages(text, running.signal);
    }, TYPING_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      running.abort();
    };
  }

  async #askForArticles(text: string, signal: AbortSignal): Promise<void> {
    const words = /[@#:]/.test(text) ? '' : searchWords(text);
    try {
      const found = words.length < SHORTEST ? [] : await this.#articles(words, signal);
      if (!signal.aborted) this.articles = found;
    } catch {
      if (!signal.aborted) this.articles = [];
    }
  }

  async #articles(q: string, signal: AbortSignal): Promise<readonly ArticleSummary[]> {
    return (await listArticles(this.#api, { q, limit: MOST_ARTICLES }, signal)).articles;
  }

  async #askForMessages(text: string, signal: AbortSignal): Promise<void> {
    const search = readTyped(text, NO_SEARCH);
    try {
      const query = toQuery(search, MOST_MESSAGES);
      const found = isEmpty(search)
        ? []
        : (await answer(this.#api.GET('/api/messages/search', { params: { query }, signal }))).messages;
      if (!signal.aborted) this.messages = found;
    } catch {
      // The page of the search tells what is wrong with it.
      if (!signal.aborted) this.messages = [];
    }
  }
}
