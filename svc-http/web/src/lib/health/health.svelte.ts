/** The examination of the hub, repeated while somebody looks. */

import { answer, type Api } from '../api/client';
import { Problem, Unreachable } from '../api/problem';
import { Resource } from '../api/resource.svelte';
import { clock } from '../time/clock.svelte';
import type { Visibility } from './hub-status.svelte';
import type { Report } from './report';

const INTERVAL_MILLISECONDS = 15_000;
/** The hub itself waits for a slow store for some seconds, several times. */
const PATIENCE_MILLISECONDS = 30_000;

export class Health {
  readonly #api: Api;
  readonly #examined: Resource<Report>;
  #turn = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** When the report came. */
  answeredAt: Date | undefined = $state.raw();
  /** Whether somebody asked for a check that is under way. */
  isRefreshing = $state(false);

  constructor(api: Api) {
    this.#api = api;
    this.#examined = new Resource((signal) => this.#ask(signal));
  }

  /** Whether the hub says that this person is no administrator. */
  get isRefused(): boolean {
    const { error } = this.#examined;
    return error instanceof Problem && error.status === 403;
  }

  /** The last report; it stays when the hub cannot be asked any more, but not when it refuses. */
  get report(): Report | undefined {
    return this.isRefused ? undefined : this.#examined.value;
  }

  /** Why the latest check brought nothing. */
  get failure(): string | undefined {
    return this.isRefused ? undefined : this.#examined.failure;
  }

  /** Checks now and every 15 seconds while the tab is visible; the result stops that. */
  watch(visibility: Visibility): () => void {
    const look = () => {
      this.#pause();
      if (visibility.visibilityState === 'visible') void this.#repeat();
    };
    visibility.addEventListener('visibilitychange', look);
    look();
    return () => {
      visibility.removeEventListener('visibilitychange', look);
      this.#pause();
    };
  }

  /** Checks at once; the next check is as far away as ever. */
  async refresh(): Promise<void> {
    if (this.isRefreshing) return;
    this.#pause();
    this.isRefreshing = true;
    try {
      await this.#repeat();
    } finally {
      this.isRefreshing = false;
    }
  }

  #pause(): void {
    this.#turn.abort();
    clearTimeout(this.#timer);
    this.#examined.stop();
  }

  /** The next check is planned when this one is over, so that slow answers do not pile up. */
  async #repeat(): Promise<void> {
    const turn = new AbortController();
    this.#turn = turn;
    await this.#examined.load();
    if (turn.signal.aborted || this.isRefused) return;
    this.#timer = setTimeout(() => void this.#repeat(), INTERVAL_MILLISECONDS);
  }

  async #ask(signal: AbortSignal): Promise<Report> {
    const running = new AbortController();
    let isLate = false;
    signal.addEventListener('abort', () => running.abort());
    const patience = setTimeout(() => {
      isLate = true;
      running.abort();
    }, PATIENCE_MILLISECONDS);
    try {
      const report = await answer(this.#api.GET('/api/admin/health', { signal: running.signal }));
      this.answeredAt = new Date(clock.read());
      return report;
    } catch (error) {
      throw isLate ? new Unreachable() : error;
    } finally {
      clearTimeout(patience);
    }
  }
}
