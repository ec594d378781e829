/** The logins of the account: which there are, and their end. */

import { answer, type Api, type Schemas } from '../api/client';
import { isAborted, Problem, reasonOf } from '../api/problem';

export type Session = Schemas['Session'];

export class Logins {
  readonly #api: Api;
  #question = 0;

  all: readonly Session[] | undefined = $state.raw();
  failure: string | undefined = $state();
  readonly others: readonly Session[] = $derived((this.all ?? []).filter(({ current }) => !current));

  constructor(api: Api) {
    this.#api = api;
  }

  async load(): Promise<void> {
    const question = ++this.#question;
    try {
      const { sessions } = await answer(this.#api.GET('/auth/sessions'));
      if (question !== this.#question) return;
      // This one first, then by last use.
      this.all = [...sessions].sort(
        (left, right) =>
          Number(right.current) - Number(left.current) || right.seen_at.localeCompare(left.seen_at),
      );
      this.failure = undefined;
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    }
  }

  async end(id: number): Promise<void> {
    try {
      await this.#end(id);
    } finally {
      await this.load();
    }
  }

  /** Ends every login but this one. The server ends either one or all, so it is asked for each. */
  async endOthers(): Promise<void> {
    await this.load();
    try {
      for (const { id } of this.others) await this.#end(id);
    } finally {
      await this.load();
    }
  }

  /** Ends every login, this one as well. */
  async endAll(): Promise<void> {
    await this.#api.DELETE('/auth/sessions');
  }

  /** One that has ended meanwhile is what was wanted. */
  async #end(id: number): Promise<void> {
    try {
      await this.#api.DELETE('/auth/sessions/{id}', { params: { path: { id } } });
    } catch (error) {
      if (!(error instanceof Problem && error.status === 404)) throw error;
    }
  }
}
