/** The messages that mention me: pages of them, newest first, kept current by the stream. */

import { answer, type Api, type Schemas } from '../api/client';
import { Resource } from '../api/resource.svelte';
import type { Live } from '../live/live.svelte';

export type Mention = Schemas['Mention'];
export type View = 'unread' | 'all';

/** How many are asked for at once, and the most that stay on screen. */
const PAGE = 50;
const MOST = 200;

export function viewOf(query: URLSearchParams): View {
  return query.get('view') === 'unread' ? 'unread' : 'all';
}

export function addressOfView(view: View): string {
  return view === 'all' ? '/mentions' : '/mentions?view=unread';
}

/** Where a mention is read. */
export function mentionAddress({ channel, message_id }: Pick<Mention, 'channel' | 'message_id'>): string {
  return `/c/${encodeURIComponent(channel)}?m=${message_id}`;
}

export class Mentions {
  readonly #live: Pick<Live, 'on'>;
  #view: View;
  #wanted: number;
  readonly list: Resource<Schemas['MentionPage']>;

  constructor(api: Api, live: Pick<Live, 'on'>, view: View = 'all', wanted = PAGE) {
    this.#live = live;
    this.#view = view;
    this.#wanted = wanted;
    this.list = new Resource((signal) => {
      const query = { limit: this.#wanted, ...(this.#view === 'unread' ? { unread: true } : {}) };
      return answer(api.GET('/api/mentions', { params: { query }, signal }));
    });
  }

  /** Whether more can be shown here. */
  get hasMore(): boolean {
    return (this.list.value?.has_more ?? false) && this.#wanted < MOST;
  }

  show(view: View): void {
    if (view !== this.#view) this.list.value = undefined;
    this.#view = view;
    this.#wanted = PAGE;
    void this.list.load();
  }

  async more(): Promise<void> {
    this.#wanted = MOST;
    await this.list.load();
  }

  /** Follows what changes them; the result stops that. */
  watch(): () => void {
    const soon = () => this.list.loadSoon();
    const off = [
      this.#live.on('new_message', ({ mentions_me }) => {
        if (mentions_me) soon();
      }),
      this.#live.on('message_edited', soon),
      this.#live.on('message_deleted', soon),
      this.#live.on('unread_update', ({ kind }) => {
        if (kind === 'channel') soon();
      }),
      this.#live.on('channel_changed', soon),
      this.#live.on('reset', soon),
    ];
    return () => {
      for (const stop of off) stop();
      this.list.stop();
    };
  }
}
