/** One article as it is read: its text, who links to it, and which of its links lead nowhere. */

import type { Api } from '../api/client';
import { Problem } from '../api/problem';
import { Resource } from '../api/resource.svelte';
import { asText } from '../json/read';
import type { LiveEvents } from '../live/events';
import type { Live } from '../live/live.svelte';
import * as calls from './api';
import type { Article, BacklinkPage } from './types';

const BACKLINKS = 100;

export class OneArticle {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  readonly slug: string;
  readonly #article: Resource<Article>;
  readonly #backlinks: Resource<BacklinkPage>;
  readonly #wanted: Resource<ReadonlySet<string>>;

  constructor(api: Api, live: Pick<Live, 'on'>, slug: string) {
    this.#api = api;
    this.#live = live;
    this.slug = slug;
    this.#article = new Resource((signal) => calls.getArticle(api, slug, signal));
    this.#backlinks = new Resource((signal) => calls.listBacklinks(api, slug, { limit: BACKLINKS }, signal));
    this.#wanted = new Resource(
      async (signal) => new Set((await calls.getMap(api, signal)).wanted.map((one) => one.slug)),
    );
  }

  get article(): Article | undefined {
    return this.#problem === undefined ? this.#article.value : undefined;
  }

  get backlinks(): BacklinkPage | undefined {
    return this.#backlinks.value;
  }

  get #problem(): Problem | undefined {
    const { error } = this.#article;
    return error instanceof Problem && error.status === 404 ? error : undefined;
  }

  get isMissing(): boolean {
    return this.#problem !== undefined && !this.isDeleted;
  }

  get isDeleted(): boolean {
    return this.#problem?.code === 'article_deleted';
  }

  /** Who deleted it and when, as far as the server says. */
  get deletion(): { by: string | undefined; at: string | undefined } | undefined {
    if (!this.isDeleted) return undefined;
    const members = this.#problem?.members;
    return { by: asText(members?.['deleted_by']), at: asText(members?.['deleted_at']) };
  }

  get failure(): string | undefined {
    return this.#problem ? undefined : this.#article.failure;
  }

  /** Whether an article that is linked to exists; all are taken to exist until the map has come. */
  exists(slug: string): boolean {
    return this.#wanted.value?.has(slug) !== true;
  }

  async load(): Promise<void> {
    await Promise.all([this.#article.load(), this.#backlinks.load()]);
    if (this.article?.body.includes('[[')) void this.#wanted.load();
  }

  /** Loads it, and keeps it current until the result is called. */
  watch(): () => void {
    void this.load();
    const off = [
      this.#live.on('wiki_changed', (event) => this.#changed(event)),
      this.#live.on('reset', () => void this.load()),
    ];
    return () => {
      for (const stop of off) stop();
      for (const one of [this.#article, this.#backlinks, this.#wanted]) one.stop();
    };
  }

  concerns({ slug, renamed_from }: Pick<LiveEvents['wiki_changed'], 'slug' | 'renamed_from'>): boolean {
    const names = [this.slug, this.article?.slug];
    return names.includes(slug) || (renamed_from !== undefined && names.includes(renamed_from));
  }

  verify(staleAfter?: string): Promise<void> {
    const { slug, revision } = this.article ?? { slug: this.slug, revision: undefined };
    return this.#then(
      calls.verifyArticle(this.#api, slug, {
        ...(revision === undefined ? {} : { revision }),
        ...(staleAfter === undefined ? {} : { stale_after: staleAfter }),
      }),
    );
  }

  restore(revision?: number, summary?: string): Promise<void> {
    return this.#then(
      calls.restoreArticle(this.#api, this.slug, {
        ...(revision === undefined ? {} : { revision }),
        ...(summary === undefined ? {} : { summary }),
      }),
    );
  }

  #changed(event: LiveEvents['wiki_changed']): void {
    if (this.concerns(event)) this.#article.loadSoon(100);
    // Whichever article has changed, it may link here now, or not any more.
    this.#backlinks.loadSoon();
    if (this.article?.body.includes('[[')) this.#wanted.loadSoon(1_000);
  }

  async #then(work: Promise<unknown>): Promise<void> {
    await work;
    await this.load();
  }
}
