/** The messages of a channel by the state of its workflow, kept current. */

import { answer, type Api, type Message } from '../api/client';
import { Reloading } from '../api/reloading.svelte';
import type { Live } from '../live/live.svelte';
import { STATES, type WorkflowState } from '../messages/workflow';

const PAGE = 50;

export interface Column {
  readonly state: WorkflowState;
  readonly messages: readonly Message[];
  readonly total: number;
}

export class Board {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  readonly #channel: string;
  readonly #reloading = new Reloading(() => this.#fetch());

  columns: readonly Column[] | undefined = $state.raw();

  constructor(api: Api, live: Pick<Live, 'on'>, channel: string) {
    this.#api = api;
    this.#live = live;
    this.#channel = channel;
  }

  /** Why the last loading did not work. */
  get failure(): string | undefined {
    return this.#reloading.failure;
  }

  /** Loads and follows; the result stops that. */
  start(): () => void {
    void this.load();
    const concerns = ({ channel }: { channel: string | null }) => {
      if (channel === this.#channel) void this.load();
    };
    const off = [
      this.#live.on('new_message', concerns),
      this.#live.on('reaction_changed', concerns),
      this.#live.on('workflow_state_changed', concerns),
      this.#live.on('message_updated', concerns),
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

  /** Shows a message in its column at once, before the server has been asked again. */
  put(message: Message): void {
    const state = message.workflow_state;
    if (!state) return;
    this.columns = this.columns?.map((column) => {
      const had = column.messages.some(({ id }) => id === message.id);
      const others = column.messages.filter(({ id }) => id !== message.id);
      const isIts = column.state === state;
      const total = column.total + (isIts ? 1 : 0) - (had ? 1 : 0);
      return { ...column, messages: isIts ? [message, ...others] : others, total };
    });
  }

  async #fetch(): Promise<void> {
    this.columns = await Promise.all(STATES.map(({ word }) => this.#column(word)));
  }

  async #column(state: WorkflowState): Promise<Column> {
    const query = { state, channel: this.#channel, limit: PAGE };
    const page = await answer(this.#api.GET('/api/messages/by-state', { params: { query } }));
    return { state, messages: page.messages, total: page.total };
  }
}
