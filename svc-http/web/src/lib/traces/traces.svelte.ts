/** What was done, newest first: a window that grows at both ends. */

import { answer, type Api, type Schemas } from '../api/client';
import { isAborted, reasonOf } from '../api/problem';
import { clock } from '../time/clock.svelte';
import { queryOf, type TraceFilter } from './filter';

export type Trace = Schemas['Trace'];

const PAGE = 50;
/** More rows than that are for the export. */
const MOST = 2_000;

export class Traces {
  readonly #api: Api;
  readonly #now: () => number;
  #filter: TraceFilter = {};
  /** Answers to anything but the newest filter are outdated. */
  #question = 0;
  #cursor: string | undefined;
  #refreshing = false;

  all: readonly Trace[] | undefined = $state.raw();
  stats: Schemas['TraceStats'] | undefined = $state.raw();
  failure: string | undefined = $state();
  hasMore = $state(false);
  busy = $state(false);

  constructor(api: Api, now: () => number = () => clock.read()) {
    this.#api = api;
    this.#now = now;
  }

  /** Loads the newest that fit. What was shown stays until they are there. */
  async load(filter: TraceFilter): Promise<void> {
    const question = ++this.#question;
    this.#filter = filter;
    this.busy = true;
    try {
      const page = await this.#page(undefined);
      if (question !== this.#question) return;
      this.all = page.traces;
      this.#turn(page.next_cursor);
      this.failure = undefined;
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      if (question === this.#question) this.busy = false;
    }
    await this.#loadStats(question);
  }

  /** Adds older ones. */
  async more(): Promise<void> {
    if (this.busy || this.#cursor === undefined) return;
    const question = this.#question;
    this.busy = true;
    try {
      const page = await this.#page(this.#cursor);
      if (question !== this.#question) return;
      this.all = [...(this.all ?? []), ...page.traces];
      this.#turn(page.next_cursor);
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      if (question === this.#question) this.busy = false;
    }
  }

  /** Adds newer ones. When there are more than a page of them, the list begins anew. */
  async refresh(): Promise<void> {
    if (this.busy || this.#refreshing || this.all === undefined) return;
    const question = this.#question;
    this.#refreshing = true;
    try {
      const page = await this.#page(undefined);
      if (question !== this.#question) return;
      this.failure = undefined;
      const known = new Set(this.all.map(({ id }) => id));
      const fresh = page.traces.filter(({ id }) => !known.has(id));
      if (fresh.length === 0) return;
      if (fresh.length === page.traces.length && known.size > 0) {
        this.all = page.traces;
        this.#turn(page.next_cursor);
      } else {
        this.all = [...fresh, ...this.all];
      }
      await this.#loadStats(question);
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      this.#refreshing = false;
    }
  }

  #turn(cursor: string | null | undefined): void {
    this.#cursor = cursor ?? undefined;
    this.hasMore = this.#cursor !== undefined && (this.all?.length ?? 0) < MOST;
  }

  #page(cursor: string | undefined): Promise<Schemas['TracePage']> {
    const query = { ...queryOf(this.#filter, this.#now()), limit: PAGE, ...(cursor ? { cursor } : {}) };
    return answer(this.#api.GET('/api/traces', { params: { query } }));
  }

  async #loadStats(question: number): Promise<void> {
    try {
      const query = queryOf(this.#filter, this.#now());
      const stats = await answer(this.#api.GET('/api/traces/stats', { params: { query } }));
      if (question === this.#question) this.stats = stats;
    } catch {
      // The list shows the error; the counts stay as they were.
    }
  }
}
