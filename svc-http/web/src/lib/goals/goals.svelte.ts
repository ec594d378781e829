/** The list of goals: in the order of the server, page by page, kept current by the events of the hub. */

import type { Api } from '../api/client';
import { isAborted, reasonOf } from '../api/problem';
import { listGoals } from './api';
import type { Goal, GoalStatus } from './types';
import { GOAL_STATUSES } from './words';

const PAGE = 50;
/** The server gives no more at once. */
const PAGE_MAX = 200;
/** Events within this time are answered with one question. */
const GATHER_MILLISECONDS = 300;

/** The status that an address asks for. */
export function readStatus(query: URLSearchParams): GoalStatus | undefined {
  const wanted = query.get('status');
  return GOAL_STATUSES.find(({ value }) => value === wanted)?.value;
}

export class Goals {
  readonly #api: Api;
  #status: GoalStatus | undefined;
  /** Answers to anything but the newest question are outdated. */
  #question = 0;
  #cursor: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  all: readonly Goal[] | undefined = $state.raw();
  failure: string | undefined = $state();
  hasMore = $state(false);
  busy = $state(false);

  constructor(api: Api) {
    this.#api = api;
  }

  /** Loads the first goals in a status. What was shown stays until they are there. */
  async load(status: GoalStatus | undefined): Promise<void> {
    this.#status = status;
    await this.#ask({ limit: PAGE }, (goals) => goals);
  }

  /** Adds the next page. */
  async more(): Promise<void> {
    const cursor = this.#cursor;
    if (this.busy || cursor === undefined) return;
    await this.#ask({ limit: PAGE, cursor }, (goals) => {
      const known = new Set(this.all?.map(({ id }) => id));
      return [...(this.all ?? []), ...goals.filter(({ id }) => !known.has(id))];
    });
  }

  /** Takes over what has changed among those that are shown, as far as one page holds them. */
  async refresh(): Promise<void> {
    const shown = this.all;
    if (shown === undefined) return;
    const cursor = this.#cursor;
    let rest: readonly Goal[] = [];
    await this.#ask({ limit: Math.min(Math.max(shown.length, PAGE), PAGE_MAX) }, (goals) => {
      if (shown.length <= PAGE_MAX) return goals;
      // Those that follow the last one of the page stay; without it, the list begins anew.
      const last = shown.findIndex(({ id }) => id === goals.at(-1)?.id);
      const known = new Set(goals.map(({ id }) => id));
      rest = last < 0 ? [] : shown.slice(last + 1).filter(({ id }) => !known.has(id));
      return [...goals, ...rest];
    });
    if (rest.length > 0) this.#turn(cursor);
  }

  refreshSoon(milliseconds = GATHER_MILLISECONDS): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // While the next page is on its way, it must not be given up for the ones that are shown.
      if (this.busy) this.refreshSoon();
      else void this.refresh();
    }, milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#question += 1;
  }

  #turn(cursor: string | undefined): void {
    this.#cursor = cursor;
    this.hasMore = cursor !== undefined;
  }

  async #ask(
    page: { limit: number; cursor?: string },
    take: (goals: readonly Goal[]) => readonly Goal[],
  ): Promise<void> {
    const question = ++this.#question;
    this.busy = true;
    try {
      const status = this.#status;
      const { goals, next_cursor } = await listGoals(this.#api, { ...page, ...(status ? { status } : {}) });
      if (question !== this.#question) return;
      this.all = take(goals);
      this.#turn(next_cursor ?? undefined);
      this.failure = undefined;
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      if (question === this.#question) this.busy = false;
    }
  }
}
