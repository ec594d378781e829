/** A message and everything that answers it, kept current. */

import { answer, type Api, type Message } from '../api/client';
import { reasonOf } from '../api/problem';
import { loadAll } from '../hub/load-all';
import type { Live } from '../live/live.svelte';

export class Thread {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  readonly #id: number;
  #isLoading = false;
  #again = false;

  root: Message | undefined = $state.raw();
  replies: readonly Message[] | undefined = $state.raw();
  failure: string | undefined = $state();

  constructor(api: Api, live: Pick<Live, 'on'>, id: number) {
    this.#api = api;
    this.#live = live;
    this.#id = id;
  }

  /** Loads and follows; the result stops that. */
  start(): () => void {
    void this.load();
    const concerns = ({ message_id }: { message_id: number }) => {
      if ([this.root, ...(this.replies ?? [])].some((message) => message?.id === message_id))
        void this.load();
    };
    const off = [
      // The event does not say what it answers, so anything said where the thread lives may belong to it.
      this.#live.on('new_message', ({ conversation_id }) => {
        if (conversation_id === this.root?.conversation_id) void this.load();
      }),
      this.#live.on('message_updated', concerns),
      this.#live.on('reaction_changed', concerns),
      this.#live.on('workflow_state_changed', concerns),
      this.#live.on('reset', () => void this.load()),
    ];
    return () => {
      for (const stop of off) stop();
    };
  }

  /** Calls while one is under way are one more. */
  async load(): Promise<void> {
    if (this.#isLoading) {
      this.#again = true;
      return;
    }
    this.#isLoading = true;
    try {
      do {
        this.#again = false;
        await this.#fetch();
      } while (this.#again);
      this.failure = undefined;
    } catch (error) {
      this.failure = reasonOf(error);
    } finally {
      this.#isLoading = false;
    }
  }

  async #fetch(): Promise<void> {
    let root: Message | undefined;
    const replies = await loadAll(async (query) => {
      const params = { path: { id: this.#id }, query };
      const page = await answer(this.#api.GET('/api/messages/{id}/thread', { params }));
      root ??= page.root ?? undefined;
      return { entries: page.replies, total: page.total };
    }, 1_000);
    this.root = root;
    this.replies = replies.filter(({ id }) => id !== root?.id);
  }
}
