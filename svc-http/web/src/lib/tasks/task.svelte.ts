/** One task with the bids that I may see, kept current by the events of the hub. */

import type { Api } from '../api/client';
import { Problem } from '../api/problem';
import { Resource } from '../api/resource.svelte';
import type { Live } from '../live/live.svelte';
import {
  acceptBid,
  bidTask,
  closeTask,
  getTask,
  type Bid,
  type NewBid,
  type Task,
  type TaskClosing,
  type TaskView,
} from './api';

export class OneTask {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  readonly #view: Resource<TaskView>;
  readonly id: number;
  /** A decision is on its way. */
  busy = $state(false);

  constructor(api: Api, live: Pick<Live, 'on'>, id: number) {
    this.#api = api;
    this.#live = live;
    this.id = id;
    this.#view = new Resource((signal) => getTask(api, id, signal));
  }

  get task(): Task | undefined {
    return this.#view.value?.task;
  }

  get bids(): readonly Bid[] {
    return this.#view.value?.bids ?? [];
  }

  get isMissing(): boolean {
    const { error } = this.#view;
    return error instanceof Problem && (error.status === 404 || error.status === 403);
  }

  get failure(): string | undefined {
    return this.isMissing ? undefined : this.#view.failure;
  }

  load(): Promise<void> {
    return this.#view.load();
  }

  /** Loads it, and keeps it current until the result is called. */
  watch(): () => void {
    void this.load();
    const off = [
      this.#live.on('task_changed', ({ task_id }) => {
        if (task_id === this.id) this.#view.loadSoon();
      }),
      this.#live.on('reset', () => void this.load()),
    ];
    return () => {
      for (const stop of off) stop();
      this.#view.stop();
    };
  }

  bid(bid: NewBid, key: string): Promise<void> {
    return this.#decide(() => bidTask(this.#api, this.id, bid, key));
  }

  accept(bid: number): Promise<void> {
    return this.#decide(() => acceptBid(this.#api, this.id, bid));
  }

  close(closing: TaskClosing): Promise<void> {
    return this.#decide(() => closeTask(this.#api, this.id, closing));
  }

  /** Whatever comes of it, the task is shown as it is afterwards. */
  async #decide(work: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    try {
      await work();
    } finally {
      this.busy = false;
      void this.load();
    }
  }
}
