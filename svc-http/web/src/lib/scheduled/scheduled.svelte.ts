/** The messages that are sent later: those that were refused, and those that wait. */

import { answer, newIdempotencyKey, type Api, type Schemas } from '../api/client';
import { Reloading } from '../api/reloading.svelte';
import type { Live } from '../live/live.svelte';

export type ScheduledMessage = Schemas['ScheduledMessage'];
export type NewScheduledMessage = Schemas['NewScheduledMessage'];

/** No more than this waits; of those that were refused the newest are shown. */
const MOST = 200;

export class Scheduled {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  readonly #reloading = new Reloading(() => this.#fetch());

  /** The refused ones first, then the others in the order of their times. */
  all: readonly ScheduledMessage[] | undefined = $state.raw();

  constructor(api: Api, live: Pick<Live, 'on'>) {
    this.#api = api;
    this.#live = live;
  }

  get failure(): string | undefined {
    return this.#reloading.failure;
  }

  /** Follows; the result stops that. */
  watch(): () => void {
    return this.#live.on('scheduled_message_changed', () => void this.load());
  }

  load(): Promise<void> {
    return this.#reloading.load();
  }

  async change({ id }: ScheduledMessage, body: Schemas['ScheduledMessageUpdate']): Promise<void> {
    const params = { path: { id } };
    const changed = await answer(this.#api.PATCH('/api/scheduled-messages/{id}', { params, body }));
    this.all = order((this.all ?? []).map((one) => (one.id === id ? changed : one)));
  }

  /** Sends it at once; the result is the message. */
  async send({ id }: ScheduledMessage): Promise<Schemas['Message']> {
    const params = { path: { id }, header: { 'Idempotency-Key': newIdempotencyKey() } };
    const message = await answer(this.#api.POST('/api/scheduled-messages/{id}/send', { params }));
    this.#remove(id);
    return message;
  }

  async delete({ id }: ScheduledMessage): Promise<void> {
    await this.#api.DELETE('/api/scheduled-messages/{id}', { params: { path: { id } } });
    this.#remove(id);
  }

  #remove(id: number): void {
    this.all = this.all?.filter((one) => one.id !== id);
  }

  async #fetch(): Promise<void> {
    const of = async (status: 'failed' | 'waiting') => {
      const query = { status, limit: MOST };
      return (await answer(this.#api.GET('/api/scheduled-messages', { params: { query } }))).scheduled;
    };
    const [failed, waiting] = await Promise.all([of('failed'), of('waiting')]);
    this.all = order([...failed, ...waiting]);
  }
}

function order(all: readonly ScheduledMessage[]): ScheduledMessage[] {
  const rank = ({ status }: ScheduledMessage) => (status === 'failed' ? 0 : 1);
  const time = ({ send_at }: ScheduledMessage) => Date.parse(send_at);
  return [...all].sort(
    (one, other) => rank(one) - rank(other) || time(one) - time(other) || one.id - other.id,
  );
}

/** Has a message sent later. */
export function schedule(api: Api, message: NewScheduledMessage): Promise<ScheduledMessage> {
  const params = { header: { 'Idempotency-Key': newIdempotencyKey() } };
  return answer(api.POST('/api/scheduled-messages', { params, body: message }));
}
