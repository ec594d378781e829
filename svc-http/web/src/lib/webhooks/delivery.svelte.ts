/** One delivery with its request and attempts; it can be sent again. */

import { answer, type Api, type Schemas } from '../api/client';
import { isAborted, Problem, reasonOf } from '../api/problem';
import { isOpen } from './words';

export class OneDelivery {
  readonly #api: Api;
  readonly #params: { readonly path: { readonly id: number } };
  #question = 0;

  details: Schemas['DeliveryDetails'] | undefined = $state.raw();
  isMissing = $state(false);
  /** Why it could not be loaded. */
  failure: string | undefined = $state();
  /** Why it could not be sent again. */
  refusal: string | undefined = $state();
  sending = $state(false);
  /** Whether attempts are still to come. */
  readonly open: boolean = $derived(this.details !== undefined && isOpen(this.details.delivery.status));

  constructor(api: Api, id: number) {
    this.#api = api;
    this.#params = { path: { id } };
  }

  async load(): Promise<void> {
    const question = ++this.#question;
    try {
      const details = await answer(this.#api.GET('/api/deliveries/{id}', { params: this.#params }));
      if (question !== this.#question) return;
      this.details = details;
      this.failure = undefined;
      this.isMissing = false;
    } catch (error) {
      if (question !== this.#question || isAborted(error)) return;
      this.isMissing = error instanceof Problem && error.status === 404;
      if (!this.isMissing) this.failure = reasonOf(error);
    }
  }

  /** Queues it again; whether that worked. */
  async sendAgain(): Promise<boolean> {
    if (this.sending) return false;
    this.sending = true;
    this.refusal = undefined;
    try {
      const delivery = await answer(this.#api.POST('/api/deliveries/{id}/retry', { params: this.#params }));
      if (this.details) this.details = { ...this.details, delivery };
      await this.load();
      return true;
    } catch (error) {
      if (!isAborted(error)) this.refusal = reasonOf(error);
      return false;
    } finally {
      this.sending = false;
    }
  }
}
