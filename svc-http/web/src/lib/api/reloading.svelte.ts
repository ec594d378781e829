/** Something that is loaded again whenever it may have changed, one question at a time. */

import { isAborted, reasonOf } from './problem';

export class Reloading {
  readonly #ask: () => Promise<void>;
  #isLoading = false;
  #again = false;

  /** Why the last try did not work; what was loaded before stays. */
  failure: string | undefined = $state();

  /** `ask` asks and keeps what comes. */
  constructor(ask: () => Promise<void>) {
    this.#ask = ask;
  }

  /** Calls while one is under way are one more. */
  async load(): Promise<void> {
    if (this.#isLoading) {
      this.#again = true;
      return;
    }
    this.#isLoading = true;
    try {
      do {
        this.#again = false;
        await this.#ask();
      } while (this.#again);
      this.failure = undefined;
    } catch (error) {
      if (!isAborted(error)) this.failure = reasonOf(error);
    } finally {
      this.#isLoading = false;
    }
  }
}
