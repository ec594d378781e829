/** A list of pages, newest first, that grows at both ends and follows the events of the hub. */

import { isAborted, reasonOf } from './problem';

const PAGE = 50;
/** The server gives no more at once. */
const PAGE_MAX = 200;

export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly next_cursor?: number | null | undefined;
}

/** What a page is asked for with, apart from its filter. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: number;
}

export class LiveList<Item extends { readonly id: number }, Filter> {
  readonly #ask: (filter: Filter, query: PageQuery) => Promise<ListPage<Item>>;
  #filter: Filter | undefined;
  /** Answers to anything but the newest filter are outdated. */
  #question = 0;
  #cursor: number | undefined;
  #refreshing = false;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  all: readonly Item[] | undefined = $state.raw();
  failure: string | undefined = $state();
  hasMore = $state(false);
  busy = $state(false);

  constructor(ask: (filter: Filter, query: PageQuery) => Promise<ListPage<Item>>) {
    this.#ask = ask;
  }

  /** Loads the newest that match. What was shown stays until they are there. */
  async load(filter: Filter): Promise<void> {
    const question = ++this.#question;
    this.#filter = filter;
    this.busy = true;
    try {
      const page = await this.#ask(filter, { limit: PAGE });
      if (question === this.#question) this.#begin(page);
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      if (question === this.#question) this.busy = false;
    }
  }

  /** Adds older ones. */
  async more(): Promise<void> {
    const [filter, cursor] = [this.#filter, this.#cursor];
    if (this.busy || filter === undefined || cursor === undefined) return;
    const question = this.#question;
    this.busy = true;
    try {
      const page = await this.#ask(filter, { limit: PAGE, cursor });
      if (question !== this.#question) return;
      const known = new Set(this.all?.map(({ id }) => id));
      this.all = [...(this.all ?? []), ...page.items.filter(({ id }) => !known.has(id))];
      this.#turn(page.next_cursor);
      this.failure = undefined;
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      if (question === this.#question) this.busy = false;
    }
  }

  /** Takes over news within that time; whoever calls meanwhile is served by the same question. */
  refreshSoon(milliseconds = 300): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.refresh();
    }, milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Takes over what has changed among those that are shown, as far as one page holds them. */
  async refresh(): Promise<void> {
    if (this.all === undefined || this.#filter === undefined) return;
    if (this.busy || this.#refreshing) {
      this.#again = true;
      return;
    }
    const question = this.#question;
    this.#refreshing = true;
    try {
      const limit = Math.min(Math.max(this.all.length, PAGE), PAGE_MAX);
      const page = await this.#ask(this.#filter, { limit });
      if (question !== this.#question) return;
      const last = page.items.at(-1)?.id ?? 0;
      const older = page.next_cursor == null ? [] : this.all.filter(({ id }) => id < last);
      const known = new Set(this.all.map(({ id }) => id));
      // When so much is new that there would be a gap, the list begins anew.
      if (older.length === 0 || !page.items.some(({ id }) => known.has(id))) this.#begin(page);
      else this.all = [...page.items, ...older];
      this.failure = undefined;
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      this.#refreshing = false;
      if (this.#again) {
        this.#again = false;
        this.refreshSoon();
      }
    }
  }

  #begin(page: ListPage<Item>): void {
    this.all = page.items;
    this.#turn(page.next_cursor);
    this.failure = undefined;
  }

  #turn(cursor: number | null | undefined): void {
    this.#cursor = cursor ?? undefined;
    this.hasMore = this.#cursor !== undefined;
  }
}
