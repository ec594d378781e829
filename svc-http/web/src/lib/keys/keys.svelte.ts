/** Managed keys: those of the person, or those that act as one agent. */

import { answer, newIdempotencyKey, type Api, type Schemas } from '../api/client';
import { isAborted, reasonOf } from '../api/problem';
import { loadAll } from '../hub/load-all';

export type ApiKey = Schemas['ApiKey'];
export type NewKeyRequest = Schemas['CreateKey'];

export class Keys {
  readonly #api: Api;
  readonly #agent: string | undefined;
  #question = 0;
  #sent = { body: '', key: '' };

  all: readonly ApiKey[] | undefined = $state.raw();
  failure: string | undefined = $state();

  readonly active: readonly ApiKey[] = $derived((this.all ?? []).filter(({ status }) => status === 'active'));
  readonly revoked: readonly ApiKey[] = $derived(
    (this.all ?? []).filter(({ status }) => status !== 'active'),
  );

  /** With an agent, only the keys that act as it. */
  constructor(api: Api, agent?: string) {
    this.#api = api;
    this.#agent = agent;
  }

  async load(): Promise<void> {
    const question = ++this.#question;
    try {
      const keys = await loadAll(async (query) => {
        const page = await answer(this.#api.GET('/api/keys', { params: { query } }));
        return { entries: page.keys, total: page.total };
      });
      if (question !== this.#question) return;
      this.all = this.#agent === undefined ? keys : keys.filter(({ agent }) => agent === this.#agent);
      this.failure = undefined;
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    }
  }

  /** Creates a key and returns its secret, which is available only here. */
  async create(body: NewKeyRequest): Promise<string> {
    const text = JSON.stringify(body);
    // The same request sent again, after an answer that got lost, must not make a second key.
    if (this.#sent.body !== text) this.#sent = { body: text, key: newIdempotencyKey() };
    const header = { 'Idempotency-Key': this.#sent.key };
    const made = await answer(this.#api.POST('/api/keys', { params: { header }, body }));
    this.#sent = { body: '', key: '' };
    await this.load();
    return made.key;
  }

  async revoke(id: number): Promise<void> {
    await this.#api.DELETE('/api/keys/{id}', { params: { path: { id } } });
    await this.load();
  }
}
