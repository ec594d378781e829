/** One agent: loaded, kept up to date, changed. */

import { answer, type Agent, type Api, type Schemas } from '../api/client';
import { isAborted, Problem, reasonOf } from '../api/problem';

export class AgentPage {
  readonly #api: Api;
  readonly #path: { name: string };
  #question = 0;

  agent: Agent | undefined = $state.raw();
  isMissing = $state(false);
  failure: string | undefined = $state();
  trust: readonly Schemas['TrustScore'][] | undefined = $state.raw();

  constructor(api: Api, name: string) {
    this.#api = api;
    this.#path = { name };
  }

  async load(): Promise<void> {
    const question = ++this.#question;
    try {
      const agent = await answer(this.#api.GET('/api/agents/{name}', { params: { path: this.#path } }));
      if (question !== this.#question) return;
      this.agent = agent;
      this.failure = undefined;
      this.isMissing = false;
    } catch (error) {
      if (question !== this.#question || isAborted(error)) return;
      this.isMissing = error instanceof Problem && error.status === 404;
      if (!this.isMissing) this.failure = reasonOf(error);
    }
  }

  async loadTrust(): Promise<void> {
    try {
      const path = { agent: this.#path.name };
      this.trust = (await answer(this.#api.GET('/api/trust/{agent}', { params: { path } }))).scores;
    } catch {
      // The scores stay as they were; the page shows when the connection is lost.
    }
  }

  /** Changes what is given. What the server refuses is thrown. */
  async change(settings: Schemas['AgentSettings']): Promise<void> {
    const agent = await answer(
      this.#api.PATCH('/api/agents/{name}', { params: { path: this.#path }, body: settings }),
    );
    this.#question += 1;
    this.agent = agent;
  }

  /** Rotates the key. The new one is returned only here. */
  async rotateKey(): Promise<string> {
    const params = { path: this.#path };
    return (await answer(this.#api.POST('/api/agents/{name}/rotate-key', { params }))).key;
  }

  async delete(): Promise<void> {
    await this.#api.DELETE('/api/agents/{name}', { params: { path: this.#path } });
  }
}
