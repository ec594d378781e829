/** What all conversations share: what is unsent, what is being written. */

import type { Message } from '../api/client';
import { getApp, type App } from '../app/context';
import { Drafts } from './drafts';
import { Outbox } from './outbox.svelte';

type StoredListener = (message: Message) => void;

export class Messaging {
  readonly #listeners = new Set<StoredListener>();
  readonly outbox: Outbox;
  readonly drafts: Drafts;

  constructor({ api, live, account }: App) {
    const who = account.handle ?? '';
    this.drafts = new Drafts(who, () => localStorage);
    this.outbox = new Outbox({
      api,
      who,
      storage: () => localStorage,
      stored: (message) => {
        for (const listener of this.#listeners) listener(message);
      },
    });
    // Another person in this tab means another page, so this listens for as long as the page lives.
    live.on('hello', () => void this.outbox.retryLost());
  }

  /** Calls `listener` with each message that the server has stored for us; the result ends that. */
  onStored(listener: StoredListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const opened = new WeakMap<App, Messaging>();

/** To be called while a component is being set up. */
export function getMessaging(): Messaging {
  const app = getApp();
  const messaging = opened.get(app) ?? new Messaging(app);
  opened.set(app, messaging);
  return messaging;
}
