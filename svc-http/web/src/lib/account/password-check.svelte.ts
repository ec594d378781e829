/**
 * Asks for the password again where the server wants it: a login that is some time old makes no keys by itself. What was
 * refused is tried again when the password was right.
 */

import type { Api } from '../api/client';
import { Problem, reasonOf } from '../api/problem';

interface Waiting {
  go(): void;
  giveUp(reason: DOMException): void;
}

export class PasswordCheck {
  readonly #api: Api;
  #waiting: Waiting | undefined;

  isAsking = $state(false);
  busy = $state(false);
  /** What is wrong with what was typed, or why it could not be checked. */
  problem: string | undefined = $state();

  constructor(api: Api) {
    this.#api = api;
  }

  /** Does it, after asking for the password if that is needed. Whoever cancels gives it up, as by an `AbortError`. */
  async run<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'password_required')) throw error;
    }
    await this.#ask();
    return work();
  }

  async confirm(password: string): Promise<void> {
    if (this.busy || !this.isAsking) return;
    this.busy = true;
    this.problem = undefined;
    try {
      await this.#api.POST('/auth/confirm', { body: { password } });
      this.#close()?.go();
    } catch (error) {
      const isWrong = error instanceof Problem && error.status === 401;
      this.problem = isWrong ? 'Incorrect password. Try again.' : reasonOf(error);
    } finally {
      this.busy = false;
    }
  }

  cancel(): void {
    this.#close()?.giveUp(new DOMException('The password was not confirmed.', 'AbortError'));
  }

  #ask(): Promise<void> {
    this.cancel();
    this.problem = undefined;
    this.isAsking = true;
    return new Promise((go, giveUp) => (this.#waiting = { go, giveUp }));
  }

  #close(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.isAsking = false;
    return waiting;
  }
}
