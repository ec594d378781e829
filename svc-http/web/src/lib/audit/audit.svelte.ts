/** The audit log, newest first. */

import { answer, type Api, type Schemas } from '../api/client';
import { isAborted, reasonOf } from '../api/problem';
import { clock } from '../time/clock.svelte';
import { queryOf, type AuditFilter } from './filter';

export type AuditEntry = Schemas['AuditEntry'];

const PAGE = 50;

export class Audit {
  readonly #api: Api;
  readonly #now: () => number;
  #filter: AuditFilter = {};
  /** Answers to anything but the newest filter are outdated. */
  #question = 0;
  #before: number | undefined;

  all: readonly AuditEntry[] | undefined = $state.raw();
  failure: string | undefined = $state();
  hasMore = $state(false);
  busy = $state(false);

  constructor(api: Api, now: () => number = () => clock.read()) {
    this.#api = api;
    this.#now = now;
  }

  /** Loads the newest that fit. What was shown stays until they are there. */
  async load(filter: AuditFilter): Promise<void> {
    this.#filter = filter;
    this.#before = undefined;
    await this.#turn(false);
  }

  /** Adds older ones. */
  async more(): Promise<void> {
    if (!this.busy && this.#before !== undefined) await this.#turn(true);
  }

  async #turn(adds: boolean): Promise<void> {
    const question = ++this.#question;
    const before = this.#before;
    this.busy = true;
    try {
      const query = {
        ...queryOf(this.#filter, this.#now()),
        ...(before === undefined ? {} : { before }),
        limit: PAGE,
      };
      const page = await answer(this.#api.GET('/api/admin/audit', { params: { query } }));
      if (question !== this.#question) return;
      this.all = adds ? [...(this.all ?? []), ...page.entries] : page.entries;
      this.#before = page.next_before ?? undefined;
      this.hasMore = this.#before !== undefined;
      this.failure = undefined;
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      if (question === this.#question) this.busy = false;
    }
  }
}
