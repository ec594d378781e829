/** Runs, newest first: a list that grows at both ends and follows the events of the hub. */

import { answer, type Api, type Schemas } from '../api/client';
import { isAborted, reasonOf } from '../api/problem';
import { STATUSES, type Run, type RunStatus } from './words';

const PAGE = 50;
/** The server gives no more at once. */
const PAGE_MAX = 200;

export interface RunFilter {
  readonly agent?: string | undefined;
  readonly status?: RunStatus | undefined;
}

/** The filter that an address asks for. */
export function readFilter(query: URLSearchParams): RunFilter {
  const wanted = query.get('status');
  return {
    agent: query.get('agent') || undefined,
    status: STATUSES.find(({ value }) => value === wanted)?.value,
  };
}

export class Runs {
  readonly #api: Api;
  #filter: RunFilter = {};
  /** Answers to anything but the newest filter are outdated. */
  #question = 0;
  #cursor: number | undefined;
  #refreshing = false;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  all: readonly Run[] | undefined = $state.raw();
  failure: string | undefined = $state();
  hasMore = $state(false);
  busy = $state(false);

  constructor(api: Api) {
    this.#api = api;
  }

  /** Loads the newest that match. What was shown stays until they are there. */
  async load(filter: RunFilter): Promise<void> {
    const question = ++this.#question;
    this.#filter = filter;
    this.busy = true;
    try {
      const page = await this.#page(undefined);
      if (question === this.#question) this.#begin(page);
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      if (question === this.#question) this.busy = false;
    }
  }

  /** Adds older ones. */
  async more(): Promise<void> {
    if (this.busy || this.#cursor === undefined) return;
    const question = this.#question;
    this.busy = true;
    try {
      const page = await this.#page(this.#cursor);
      if (question !== this.#question) return;
      const known = new Set(this.all?.map(({ id }) => id));
      this.all = [...(this.all ?? []), ...page.runs.filter(({ id }) => !known.has(id))];
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
    if (this.all === undefined) return;
    if (this.busy || this.#refreshing) {
      this.#again = true;
      return;
    }
    const question = this.#question;
    this.#refreshing = true;
    try {
      const page = await this.#page(undefined, Math.min(Math.max(this.all.length, PAGE), PAGE_MAX));
      if (question !== this.#question) return;
      const last = page.runs.at(-1)?.id ?? 0;
      const older = page.next_cursor == null ? [] : this.all.filter(({ id }) => id < last);
      const known = new Set(this.all.map(({ id }) => id));
      // When so much is new that there would be a gap, the list begins anew.
      if (older.length === 0 || !page.runs.some(({ id }) => known.has(id))) this.#begin(page);
      else this.all = [...page.runs, ...older];
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

  #begin(page: Schemas['RunPage']): void {
    this.all = page.runs;
    this.#turn(page.next_cursor);
    this.failure = undefined;
  }

  #turn(cursor: number | null | undefined): void {
    this.#cursor = cursor ?? undefined;
    this.hasMore = this.#cursor !== undefined;
  }

  #page(cursor: number | undefined, limit = PAGE): Promise<Schemas['RunPage']> {
    const { agent, status } = this.#filter;
    const query = {
      limit,
      ...(agent === undefined ? {} : { agent }),
      ...(status === undefined ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    return answer(this.#api.GET('/api/runs', { params: { query } }));
  }
}
