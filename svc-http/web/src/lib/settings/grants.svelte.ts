/** Programs that may act as one of my agents, because I allowed it on a page of this server. */

import { answer, type Api, type Schemas } from '../api/client';
import { isAborted, Problem, reasonOf } from '../api/problem';
import { loadAll } from '../hub/load-all';

export type Grant = Schemas['Grant'];

export class Grants {
  readonly #api: Api;
  #question = 0;

  all: readonly Grant[] | undefined = $state.raw();
  failure: string | undefined = $state();

  constructor(api: Api) {
    this.#api = api;
  }

  async load(): Promise<void> {
    const question = ++this.#question;
    try {
      const grants = await loadAll(async (query) => {
        const page = await answer(this.#api.GET('/auth/grants', { params: { query } }));
        return { entries: page.grants, total: page.total };
      });
      if (question !== this.#question) return;
      this.all = grants;
      this.failure = undefined;
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    }
  }

  /** Ends it; one that has ended meanwhile is what was wanted. */
  async end(id: number): Promise<void> {
    try {
      await this.#api.DELETE('/auth/grants/{id}', { params: { path: { id } } });
    } catch (error) {
      if (!(error instanceof Problem && error.status === 404)) throw error;
    }
    await this.load();
  }
}
