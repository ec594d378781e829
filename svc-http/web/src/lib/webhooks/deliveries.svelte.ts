/** The deliveries of a webhook, newest first: a list that grows at both ends. */

import { answer, type Api, type Schemas } from '../api/client';
import { isAborted, reasonOf } from '../api/problem';
import { STATUSES, type Delivery, type DeliveryStatus } from './words';

const PAGE = 50;
/** The server gives no more at once. */
const PAGE_MAX = 200;

/** The status that an address asks for. */
export function readStatus(query: URLSearchParams): DeliveryStatus | undefined {
  const wanted = query.get('status');
  return STATUSES.find(({ value }) => value === wanted)?.value;
}

/** An id in an address; nothing when it is none. */
export function readId(query: URLSearchParams, name: string): number | undefined {
  const id = Number(query.get(name) ?? undefined);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

export class Deliveries {
  readonly #api: Api;
  readonly #webhook: number;
  #status: DeliveryStatus | undefined;
  /** Answers to anything but the newest filter are outdated. */
  #question = 0;
  #cursor: number | undefined;
  #refreshing = false;

  all: readonly Delivery[] | undefined = $state.raw();
  failure: string | undefined = $state();
  hasMore = $state(false);
  busy = $state(false);

  constructor(api: Api, webhook: number) {
    this.#api = api;
    this.#webhook = webhook;
  }

  /** Loads the newest with this status. What was shown stays until they are there. */
  async load(status: DeliveryStatus | undefined): Promise<void> {
    const question = ++this.#question;
    this.#status = status;
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
      this.all = [...(this.all ?? []), ...page.deliveries];
      this.#turn(page.next_cursor);
      this.failure = undefined;
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      if (question === this.#question) this.busy = false;
    }
  }

  /**
   * Takes over what has changed among those that are shown, as far as one page holds them. When so much is new that
   * there would be a gap, the list begins anew.
   */
  async refresh(): Promise<void> {
    if (this.busy || this.#refreshing || this.all === undefined) return;
    const question = this.#question;
    this.#refreshing = true;
    try {
      const page = await this.#page(undefined, Math.min(Math.max(this.all.length, PAGE), PAGE_MAX));
      if (question !== this.#question) return;
      const last = page.deliveries.at(-1)?.id ?? 0;
      const older = page.next_cursor == null ? [] : this.all.filter(({ id }) => id < last);
      const known = new Set(this.all.map(({ id }) => id));
      const meets = page.deliveries.some(({ id }) => known.has(id));
      if (older.length === 0 || !meets) {
        this.#begin(page);
      } else {
        this.all = [...page.deliveries, ...older];
        this.failure = undefined;
      }
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    } finally {
      this.#refreshing = false;
    }
  }

  #begin(page: Schemas['DeliveryPage']): void {
    this.all = page.deliveries;
    this.#turn(page.next_cursor);
    this.failure = undefined;
  }

  #turn(cursor: number | null | undefined): void {
    this.#cursor = cursor ?? undefined;
    this.hasMore = this.#cursor !== undefined;
  }

  #page(cursor: number | undefined, limit = PAGE): Promise<Schemas['DeliveryPage']> {
    const query = {
      limit,
      ...(this.#status === undefined ? {} : { status: this.#status }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    const path = { id: this.#webhook };
    return answer(this.#api.GET('/api/webhooks/{id}/deliveries', { params: { path, query } }));
  }
}
