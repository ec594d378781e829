/** Shared by all conversations: the outbox, drafts, uploads and claims. */

import type { Message } from '../api/client';
import { Problem } from '../api/problem';
import { getApp, type App } from '../app/context';
import { sendFile } from '../composer/send-file';
import { Uploads, type SendFile } from '../composer/uploads.svelte';
import { clock } from '../time/clock.svelte';
import { Claims } from './claims.svelte';
import { Drafts } from './drafts';
import { Outbox } from './outbox.svelte';

type StoredListener = (message: Message) => void;

export class Messaging {
  readonly #listeners = new Set<StoredListener>();
  readonly #uploads = new Map<string, Uploads>();
  readonly #sendFile: SendFile;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly claims: Claims;

  constructor({ api, live, account }: App) {
    this.#sendFile = (...request) =>
      sendFile(...request).catch((error: unknown) => {
        if (error instanceof Problem && error.status === 401) void account.refused();
        throw error;
      });
    const who = account.handle ?? '';
    this.drafts = new Drafts(who, () => localStorage);
    this.claims = new Claims({ api, who, storage: () => localStorage, now: () => clock.read() });
    this.outbox = new Outbox({
      api,
      who,
      storage: () => localStorage,
      locks: navigator.locks as LockManager | undefined,
      // Between the login of another person and the reload that follows it, nothing goes out in their name.
      isHeld: () => account.isAssumed || account.handle !== who,
      isLoggedOut: () => account.expired,
      stored: (message) => {
        for (const listener of this.#listeners) listener(message);
      },
    });
    // Another person in this tab means another page, so this listens for as long as the page lives.
    live.on('hello', () => void this.outbox.retryLost());
    addEventListener('storage', (event) => {
      this.outbox.storedElsewhere(event);
      this.claims.storedElsewhere(event);
    });
    if (live.state === 'live') void this.outbox.retryLost();
  }

  /** The files of what is written at a place. They go on while another conversation is open. */
  uploads(place: string): Uploads {
    const known = this.#uploads.get(place);
    if (known) return known;
    const uploads: Uploads = new Uploads(this.#sendFile, () =>
      this.drafts.write(place, { ...this.drafts.read(place), files: uploads.stored }),
    );
    uploads.restore(this.drafts.read(place).files);
    this.#uploads.set(place, uploads);
    return uploads;
  }

  /** How many drafts and unsent messages there are. */
  get unsaid(): number {
    return this.outbox.all.length + this.drafts.count();
  }

  /** Throws away what was written and not sent. */
  clear(): void {
    this.outbox.clear();
    this.drafts.clear();
    this.claims.clear();
  }

  /** Calls `listener` with each message that the server has stored for us; the result ends that. */
  onStored(listener: StoredListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const opened = new WeakMap<App, Messaging>();

/** What belongs to the person who is logged in; to be called when that is known. */
export function messagingOf(app: App): Messaging {
  const messaging = opened.get(app) ?? new Messaging(app);
  opened.set(app, messaging);
  return messaging;
}

/** To be called while a component is being set up. */
export function getMessaging(): Messaging {
  return messagingOf(getApp());
}
