/** The webhooks of an agent: loaded with their last attempts, created, changed, tested. */

import { SvelteMap } from 'svelte/reactivity';
import { answer, newIdempotencyKey, type Api, type Schemas } from '../api/client';
import { Reloading } from '../api/reloading.svelte';
import { FreshKeys } from '../keys/fresh-keys.svelte';
import type { DeliveryAttempt, RecentAttempt, Webhook } from './words';

export type NewWebhook = Omit<Schemas['CreateWebhook'], 'agent'>;

/** More events than this many requests recover are left to another try. */
const RECOVERY_REQUESTS = 20;

/** Secrets that were made in this tab, until they are put away; held in memory only. */
export const freshSecrets = new FreshKeys();

export class Webhooks {
  readonly #api: Api;
  readonly #agent: string;
  readonly #loading = new Reloading(() => this.#ask());
  #sent = { body: '', key: '' };
  /** Each webhook as it was when its attempts were loaded. */
  readonly #seen = new Map<number, string>();

  /** Oldest first. */
  all: readonly Webhook[] | undefined = $state.raw();
  /** The last attempts of each, oldest first. */
  readonly attempts = new SvelteMap<number, readonly RecentAttempt[]>();

  constructor(api: Api, agent: string) {
    this.#api = api;
    this.#agent = agent;
  }

  get failure(): string | undefined {
    return this.#loading.failure;
  }

  find(id: number): Webhook | undefined {
    return this.all?.find((webhook) => webhook.id === id);
  }

  load(): Promise<void> {
    return this.#loading.load();
  }

  /** Creates a webhook and returns its id. Its secret is among the fresh ones, and nowhere else. */
  async create(wanted: NewWebhook): Promise<number> {
    const body = { ...wanted, agent: this.#agent };
    const text = JSON.stringify(body);
    // The same request sent again, after an answer that got lost, must not be refused as a second webhook.
    if (this.#sent.body !== text) this.#sent = { body: text, key: newIdempotencyKey() };
    const header = { 'Idempotency-Key': this.#sent.key };
    const made = await answer(this.#api.POST('/api/webhooks', { params: { header }, body }));
    this.#sent = { body: '', key: '' };
    freshSecrets.keep(String(made.webhook.id), made.secret);
    this.all = [...(this.all ?? []).filter(({ id }) => id !== made.webhook.id), made.webhook];
    await this.load();
    return made.webhook.id;
  }

  async change(id: number, body: Schemas['WebhookUpdate']): Promise<void> {
    const changed = await answer(this.#api.PATCH('/api/webhooks/{id}', { params: { path: { id } }, body }));
    this.all = this.all?.map((webhook) => (webhook.id === id ? changed : webhook));
    await this.load();
  }

  /** Makes a new secret. It is among the fresh ones, and nowhere else. */
  async rotateSecret(id: number): Promise<void> {
    const params = { path: { id } };
    const { secret } = await answer(this.#api.POST('/api/webhooks/{id}/rotate-secret', { params }));
    freshSecrets.keep(String(id), secret);
  }

  /** Sends a test event and returns what came of it. */
  test(id: number): Promise<DeliveryAttempt> {
    return answer(this.#api.POST('/api/webhooks/{id}/test', { params: { path: { id } } }));
  }

  /** Sends past events again; returns how many. */
  async recover(id: number, since: string): Promise<number> {
    let body: Schemas['RecoverWebhook'] = { since };
    let queued = 0;
    for (let request = 0; request < RECOVERY_REQUESTS; request += 1) {
      const params = { path: { id } };
      const recovered: Schemas['Recovered'] = await answer(
        this.#api.POST('/api/webhooks/{id}/recover', { params, body }),
      );
      queued += recovered.queued;
      if (recovered.next == null) break;
      body = { after: recovered.next };
    }
    return queued;
  }

  /** `deleted` is called before the webhook leaves the list, so that its page is not taken for missing. */
  async delete(id: number, deleted?: () => void): Promise<void> {
    await this.#api.DELETE('/api/webhooks/{id}', { params: { path: { id } } });
    freshSecrets.forget(String(id));
    deleted?.();
    this.all = this.all?.filter((webhook) => webhook.id !== id);
    await this.load();
  }

  async #ask(): Promise<void> {
    const query = { agent: this.#agent };
    const { webhooks } = await answer(this.#api.GET('/api/webhooks', { params: { query } }));
    this.all = webhooks;
    await Promise.all(webhooks.map((webhook) => this.#loadAttempts(webhook)));
  }

  /** Every attempt changes its webhook, so the attempts of one that is the same are the same. */
  async #loadAttempts(webhook: Webhook): Promise<void> {
    const { id } = webhook;
    const text = JSON.stringify(webhook);
    if (this.#seen.get(id) === text) return;
    try {
      const details = await answer(this.#api.GET('/api/webhooks/{id}', { params: { path: { id } } }));
      this.attempts.set(id, details.attempts);
      this.#seen.set(id, text);
    } catch {
      // The attempts stay as they were; the list tells when the server cannot be reached.
    }
  }
}
