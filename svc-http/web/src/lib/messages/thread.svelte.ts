/** A message and everything that answers it, kept current. */

import { answer, type Api, type Message } from '../api/client';
import { Reloading } from '../api/reloading.svelte';
import { loadAll } from '../hub/load-all';
import type { Live } from '../live/live.svelte';

export class Thread {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  readonly #id: number;
  readonly #reloading = new Reloading(() => this.#fetch());

  root: Message | undefined = $state.raw();
  replies: readonly Message[] | undefined = $state.raw();

  constructor(api: Api, live: Pick<Live, 'on'>, id: number) {
    this.#api = api;
    this.#live = live;
    this.#id = id;
  }

  /** How many answer the first message itself, as its own count says; others answer an answer. */
  get replyCount(): number {
    return (this.replies ?? []).filter(
      ({ reply_to, deleted_at }) => reply_to === this.root?.id && deleted_at == null,
    ).length;
  }

  /** Why the last loading did not work. */
  get failure(): string | undefined {
    return this.#reloading.failure;
  }

  /** Loads and follows; the result stops that. */
  start(): () => void {
    void this.load();
    const concerns = ({ message_id }: { message_id: number }) => {
      if ([this.root, ...(this.replies ?? [])].some((message) => message?.id === message_id))
        void this.load();
    };
    const off = [
      // The event does not say what it answers, so anything said where the thread lives may belong to it. An answer
      // may stand in another conversation.
      this.#live.on('new_message', ({ conversation_id }) => {
        const messages = [this.root, ...(this.replies ?? [])];
        if (messages.some((message) => message?.conversation_id === conversation_id)) void this.load();
      }),
      this.#live.on('message_updated', concerns),
      this.#live.on('message_edited', concerns),
      this.#live.on('message_deleted', concerns),
      this.#live.on('reaction_changed', concerns),
      this.#live.on('emoji_added', concerns),
      this.#live.on('emoji_removed', concerns),
      this.#live.on('workflow_state_changed', concerns),
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
