/** An article being written: its fields, the draft that is kept, saving, and the conflict with what others saved. */

import { newIdempotencyKey, type Api } from '../api/client';
import { isAborted, Problem } from '../api/problem';
import { bytesOf } from '../composer/format';
import { createArticle, saveArticle } from './api';
import type { ArticleDraft, ArticleDrafts } from './drafts';
import { isSlug, slugOf } from './slug';
import type { Article, ArticleSave, EditConflict } from './types';
import { conflictOf, dayOfTime } from './words';

export const LARGEST_BODY = 256 * 1024;
const KEEP_MILLISECONDS = 400;

/** What the change is based on. */
interface Base {
  readonly revision: number;
  readonly title: string;
  readonly body: string;
  readonly staleAfter: string;
  readonly isProtected: boolean;
}

const NOTHING: Base = { revision: 0, title: '', body: '', staleAfter: '', isProtected: false };

interface Options {
  readonly api: Api;
  readonly drafts: ArticleDrafts;
  /** The article to change; none to create one. */
  readonly article?: Article | undefined;
  /** What a new article begins with. */
  readonly slug?: string;
  readonly title?: string;
  readonly now?: () => number;
}

export class ArticleEditor {
  readonly #api: Api;
  readonly #drafts: ArticleDrafts;
  readonly #now: () => number;
  readonly #place: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #key = newIdempotencyKey();
  #ended = false;
  #base: Base = $state.raw(NOTHING);

  /** The slug of the article that is changed; nothing for a new one. */
  readonly article: string | undefined;
  title = $state('');
  body = $state('');
  summary = $state('');
  staleAfter = $state('');
  isProtected = $state(false);
  /** The slug of a new article, when the person has chosen one. */
  ownSlug = $state('');
  /** When the draft that was taken up was written. */
  restoredAt: number | undefined = $state();
  conflict: EditConflict | undefined = $state.raw();
  busy = $state(false);

  /** The slug that a new article gets. */
  readonly slug: string = $derived.by(() => this.article ?? (this.ownSlug.trim() || slugOf(this.title)));
  readonly bytes: number = $derived(bytesOf(this.body));
  readonly isTooLong: boolean = $derived(this.bytes > LARGEST_BODY);
  readonly isDirty: boolean = $derived(
    this.title !== this.#base.title ||
      this.body !== this.#base.body ||
      this.staleAfter !== this.#base.staleAfter ||
      this.isProtected !== this.#base.isProtected,
  );

  constructor({ api, drafts, article, slug = '', title = '', now = Date.now }: Options) {
    this.#api = api;
    this.#drafts = drafts;
    this.#now = now;
    this.article = article?.slug;
    // A new article has one draft, whatever its slug becomes; one that was asked for by its slug has its own.
    this.#place = article?.slug ?? `new/${isSlug(slug) ? slug : ''}`;
    this.#base = article ? baseOf(article) : { ...NOTHING, title };
    this.#take({ ...this.#base, summary: '', slug });
    const draft = drafts.read(this.#place);
    if (draft && this.#differs(draft)) {
      this.restoredAt = draft.at;
      this.#take(draft);
      if (draft.base > 0 && draft.base !== this.#base.revision) {
        // Others have saved since. Their settings stay; the text is compared with theirs when it is saved.
        this.staleAfter = this.#base.staleAfter;
        this.isProtected = this.#base.isProtected;
        this.#base = { ...this.#base, revision: draft.base };
      }
    }
  }

  get baseRevision(): number {
    return this.#base.revision;
  }

  /** The title for a text made of theirs and ours: ours if it was changed. */
  get mergedTitle(): string {
    return this.conflict && this.title === this.#base.title ? this.conflict.title : this.title;
  }

  /** Keeps what is written, now or soon. To be called after each change. */
  keep({ now = false } = {}): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#ended) return;
    if (!now) {
      this.#timer = setTimeout(() => this.keep({ now: true }), KEEP_MILLISECONDS);
      return;
    }
    if (!this.isDirty && this.summary === '') this.#drafts.remove(this.#place);
    else this.#drafts.write(this.#place, this.#written());
  }

  /** Begins anew with what the server has. */
  discard(article: Article | undefined): void {
    clearTimeout(this.#timer);
    this.#drafts.remove(this.#place);
    this.#base = article ? baseOf(article) : NOTHING;
    this.#take({ ...this.#base, summary: '', slug: '' });
    this.restoredAt = undefined;
    this.conflict = undefined;
  }

  /** Saves it. Nothing comes back when others were first, which `conflict` tells of; other refusals are thrown. */
  save(): Promise<Article | undefined> {
    return this.#run(() =>
      this.article === undefined ? this.#create() : saveArticle(this.#api, this.article, this.#changes()),
    );
  }

  /** Saves the merge that the server offers. */
  saveMerge(): Promise<Article | undefined> {
    const slug = this.article;
    if (slug === undefined) return Promise.resolve(undefined);
    return this.#run(() => saveArticle(this.#api, slug, { ...this.#changes(), merge: true }));
  }

  /** Saves a text that takes the place of what the others have saved, which the person has seen. */
  saveOver(title: string, body: string): Promise<Article | undefined> {
    const { article: slug, conflict } = this;
    if (slug === undefined || !conflict) return Promise.resolve(undefined);
    this.#base = { ...this.#base, revision: conflict.revision, title: conflict.title, body: conflict.body };
    this.title = title;
    this.body = body;
    this.keep({ now: true });
    return this.#run(() => saveArticle(this.#api, slug, this.#changes({ whole: true })));
  }

  /** Ends what is on its way to the storage. */
  stop(): void {
    if (this.#timer !== undefined) this.keep({ now: true });
  }

  #create(): Promise<Article> {
    const summary = this.summary.trim();
    const own = this.ownSlug.trim();
    return createArticle(
      this.#api,
      {
        title: this.title.trim(),
        body: this.body,
        ...(own === '' ? {} : { slug: own }),
        ...(summary === '' ? {} : { summary }),
        ...(this.isProtected ? { protected: 'humans' as const } : {}),
        ...(this.staleAfter === '' ? {} : { stale_after: this.staleAfter }),
      },
      this.#key,
    ).catch((error: unknown) => {
      // A refusal is final for its key; another try is another request.
      if (error instanceof Problem) this.#key = newIdempotencyKey();
      throw error;
    });
  }

  /** What has changed since the base. A draft of an older revision is sent as a whole. */
  #changes({ whole = false } = {}): ArticleSave {
    const base = this.#base;
    const summary = this.summary.trim();
    const nothing = !this.isDirty;
    return {
      base_revision: base.revision,
      merge: false,
      ...(whole || nothing || this.title !== base.title ? { title: this.title.trim() } : {}),
      ...(whole || nothing || this.body !== base.body ? { body: this.body } : {}),
      ...(summary === '' ? {} : { summary }),
      ...(this.isProtected === base.isProtected
        ? {}
        : { protected: this.isProtected ? ('humans' as const) : ('none' as const) }),
      ...(this.staleAfter === base.staleAfter ? {} : { stale_after: this.staleAfter }),
    };
  }

  async #run(work: () => Promise<Article>): Promise<Article | undefined> {
    if (this.busy) return undefined;
    this.busy = true;
    this.keep({ now: true });
    try {
      const saved = await work();
      this.#ended = true;
      this.#drafts.remove(this.#place);
      return saved;
    } catch (error) {
      const conflict = conflictOf(error);
      if (!conflict) {
        if (isAborted(error)) return undefined;
        throw error;
      }
      this.conflict = conflict;
      return undefined;
    } finally {
      this.busy = false;
    }
  }

  #take(fields: Partial<ArticleDraft> & { title: string; body: string }): void {
    this.title = fields.title;
    this.body = fields.body;
    this.summary = fields.summary ?? '';
    this.staleAfter = fields.staleAfter ?? '';
    this.isProtected = fields.isProtected ?? false;
    this.ownSlug = fields.slug ?? '';
  }

  #written(): ArticleDraft {
    const { title, body, summary, staleAfter, isProtected } = this;
    const slug = this.article === undefined ? this.ownSlug : '';
    return {
      title,
      body,
      summary,
      slug,
      staleAfter,
      isProtected,
      base: this.#base.revision,
      at: this.#now(),
    };
  }

  #differs(draft: ArticleDraft): boolean {
    const now = this.#written();
    return (['title', 'body', 'summary', 'staleAfter', 'isProtected'] as const).some(
      (name) => draft[name] !== now[name],
    );
  }
}

function baseOf({ revision, title, body, stale_after, ...article }: Article): Base {
  return {
    revision,
    title,
    body,
    staleAfter: dayOfTime(stale_after),
    isProtected: article.protected === 'humans',
  };
}
