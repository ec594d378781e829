/** A list that the server gives page by page. */

import { isAborted, reasonOf } from '../api/problem';

export interface PageQuery {
  limit: number;
  offset: number;
}

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly total: number;
}

const PAGE = 50;
/** The longest page of the server. */
const LONGEST = 200;

export class PagedList<Entry> {
  readonly #ask: (query: PageQuery) => Promise<Page<Entry>>;
  /** Answers to anything but the newest question are outdated. */
  #question = 0;
  /** How much is shown. It is no state, so that an effect that loads does not run again because of it. */
  #shown = 0;

  all: readonly Entry[] | undefined = $state.raw();
  total = $state(0);
  failure: string | undefined = $state();
  busy = $state(false);
  readonly hasMore: boolean = $derived(this.all !== undefined && this.all.length < this.total);

  constructor(ask: (query: PageQuery) => Promise<Page<Entry>>) {
    this.#ask = ask;
  }

  /** Loads the beginning, as much as is shown. What was shown stays until it is there. */
  async load(): Promise<void> {
    const limit = Math.min(LONGEST, Math.max(PAGE, this.#shown));
    await this.#turn({ limit, offset: 0 }, []);
  }

  /** Adds what follows. */
  async more(): Promise<void> {
    if (this.busy || !this.hasMore) return;
    const shown = this.all ?? [];
    await this.#turn({ limit: PAGE, offset: shown.length }, shown);
  }

  async #turn(query: PageQuery, before: readonly Entry[]): Promise<void> {
    const question = ++this.#question;
    this.busy = true;
    try {
      const { entries, total } = await this.#ask(query);
      if (question !== this.#question) return;
      this.all = [...before, ...entries];
      this.#shown = this.all.length;
      this.total = total;
      this.failure = undefined;
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      if (question === this.#question) this.busy = false;
    }
  }
}
