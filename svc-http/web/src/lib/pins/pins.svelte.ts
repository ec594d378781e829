/** The pinned messages of a conversation, kept current. */

import { answer, type Api, type Message, type Schemas } from '../api/client';
import { Reloading } from '../api/reloading.svelte';
import type { Live } from '../live/live.svelte';
import type { Place } from '../messages/source';

export type Pin = Schemas['Pin'];

/** The server gives no more at once. */
const PAGE = 200;
/** A channel has at most 100; direct messages may have more, about several subjects. */
const MOST = 1_000;

export class Pins {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  readonly #place: Place;
  readonly #reloading = new Reloading(() => this.#fetch());
  /** The newest pin first; nothing until they are loaded. */
  all: readonly Pin[] | undefined = $state.raw();
  readonly #byMessage: ReadonlyMap<number, Pin> = $derived(
    new Map((this.all ?? []).map((pin) => [pin.message.id, pin])),
  );

  constructor(api: Api, live: Pick<Live, 'on'>, place: Place) {
    this.#api = api;
    this.#live = live;
    this.#place = place;
  }

  /** Why the last loading did not work. */
  get failure(): string | undefined {
    return this.#reloading.failure;
  }

  /** The pin of a message, if it has one. */
  of(id: number): Pin | undefined {
    return this.#byMessage.get(id);
  }

  /** Whether a message belongs to this conversation. */
  holds({ channel, from, to }: Pick<Message, 'channel' | 'from' | 'to'>): boolean {
    const { kind, name } = this.#place;
    if (kind === 'channel') return channel === name;
    return channel == null && (to === name || from === name);
  }

  /** Loads and follows; the result stops that. */
  start(): () => void {
    void this.load();
    const changed = ({ channel }: { channel: string | null }) => {
      const { kind, name } = this.#place;
      if (kind === 'channel' ? channel === name : channel === null) void this.load();
    };
    const concerns = ({ message_id }: { message_id: number }) => {
      if (this.of(message_id)) void this.load();
    };
    const off = [
      this.#live.on('message_pinned', changed),
      this.#live.on('message_unpinned', changed),
      this.#live.on('message_edited', concerns),
      this.#live.on('message_deleted', concerns),
      this.#live.on('reset', () => void this.load()),
      this.#live.on('hello', () => {
        if (this.failure !== undefined) void this.load();
      }),
    ];
    return () => {
      for (const stop of off) stop();
    };
  }

  load(): Promise<void> {
    return this.#reloading.load();
  }

  async pin(id: number): Promise<void> {
    const pin = await answer(this.#api.PUT('/api/messages/{id}/pin', { params: { path: { id } } }));
    const others = (this.all ?? []).filter((one) => one.id !== pin.id);
    this.all = [pin, ...others].sort((one, other) => other.id - one.id);
  }

  async unpin(id: number): Promise<void> {
    await this.#api.DELETE('/api/messages/{id}/pin', { params: { path: { id } } });
    this.all = this.all?.filter(({ message }) => message.id !== id);
  }

  async #fetch(): Promise<void> {
    const { kind, name } = this.#place;
    const where = kind === 'channel' ? { channel: name } : { with: name };
    const all: Pin[] = [];
    for (;;) {
      const last = all.at(-1);
      const query = { ...where, limit: PAGE, ...(last ? { before: last.id } : {}) };
      const page = await answer(this.#api.GET('/api/pins', { params: { query } }));
      all.push(...page.pins);
      if (!page.has_more || all.length >= MOST) break;
    }
    this.all = all;
  }
}
