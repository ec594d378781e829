/** The handlers of an agent with the state of the cluster: loaded, registered, deleted. */

import { answer, newIdempotencyKey, type Api } from '../api/client';
import { Reloading } from '../api/reloading.svelte';
import { HANDLERS_MAX, type Cluster, type Handler, type NewHandler } from './words';

export class Handlers {
  readonly #api: Api;
  readonly #agent: string;
  readonly #loading = new Reloading(() => this.#ask());
  #sent = { body: '', key: '' };

  /** Oldest first. */
  all: readonly Handler[] | undefined = $state.raw();
  cluster: Cluster | undefined = $state.raw();
  /** Whether the agent can have no more. */
  readonly isFull: boolean = $derived((this.all?.length ?? 0) >= HANDLERS_MAX);

  constructor(api: Api, agent: string) {
    this.#api = api;
    this.#agent = agent;
  }

  get failure(): string | undefined {
    return this.#loading.failure;
  }

  load(): Promise<void> {
    return this.#loading.load();
  }

  /** Registers a handler and returns its id. */
  async create(wanted: Omit<NewHandler, 'agent'>): Promise<number> {
    const body = { ...wanted, agent: this.#agent };
    const text = JSON.stringify(body);
    // The same request sent again, after an answer that got lost, must not register a second handler.
    if (this.#sent.body !== text) this.#sent = { body: text, key: newIdempotencyKey() };
    const header = { 'Idempotency-Key': this.#sent.key };
    const made = await answer(this.#api.POST('/api/k8s/handlers', { params: { header }, body }));
    this.#sent = { body: '', key: '' };
    this.all = [...(this.all ?? []).filter(({ id }) => id !== made.id), made];
    await this.load();
    return made.id;
  }

  async delete(id: number): Promise<void> {
    await this.#api.DELETE('/api/k8s/handlers/{id}', { params: { path: { id } } });
    this.all = this.all?.filter((handler) => handler.id !== id);
    await this.load();
  }

  async #ask(): Promise<void> {
    const query = { agent: this.#agent };
    const { handlers, cluster } = await answer(this.#api.GET('/api/k8s/handlers', { params: { query } }));
    this.all = handlers;
    this.cluster = cluster;
  }
}
