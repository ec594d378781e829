/** One answer of the server that a page shows, and loads again when something has changed. */

import { isAborted, reasonOf } from './problem';

export class Resource<Value> {
  readonly #ask: (signal: AbortSignal) => Promise<Value>;
  #running: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** What came last; it stays while another answer is on its way, and when that one fails. */
  value: Value | undefined = $state.raw();
  /** What was thrown at the last try; nothing when it went well. */
  error: unknown = $state.raw();
  loading = $state(false);
  readonly failure: string | undefined = $derived(
    this.error === undefined ? undefined : reasonOf(this.error),
  );

  constructor(ask: (signal: AbortSignal) => Promise<Value>) {
    this.#ask = ask;
  }

  /** Asks now. An answer to an earlier question is given up. */
  async load(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.loading = true;
    try {
      const value = await this.#ask(running.signal);
      if (this.#running !== running) return;
      this.value = value;
      this.error = undefined;
    } catch (error) {
      if (this.#running !== running || isAborted(error)) return;
      this.error = error;
    } finally {
      if (this.#running === running) this.loading = false;
    }
  }

  /** Asks within that time; whoever calls meanwhile is served by the same question. */
  loadSoon(milliseconds = 300): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.load();
    }, milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running?.abort();
    this.#running = undefined;
  }
}
