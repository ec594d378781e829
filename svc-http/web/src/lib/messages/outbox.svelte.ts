/**
 * Messages on their way. Each has a key, so that however often it is tried it is stored once. What the
 * server has not confirmed stays here with its reason, also after a reload.
 */

import { answer, newIdempotencyKey, type Api, type Message } from '../api/client';
import { Problem, reasonOf, Unreachable } from '../api/problem';
import { asObject, asText } from '../json/read';
import type { StoredFile } from './drafts';
import type { Place } from './source';

export interface Letter {
  readonly place: Place;
  readonly body: string;
  readonly subject: string;
  readonly priority: number;
  readonly replyTo: number | undefined;
  readonly files: readonly StoredFile[];
}

export interface Outgoing extends Letter {
  readonly key: string;
  readonly writtenAt: string;
  readonly state: 'sending' | 'failed';
  /** Why it failed. */
  readonly reason: string | undefined;
  /** Whether it failed because the server could not be asked: then it is tried again by itself. */
  readonly isLost: boolean;
}

interface Options {
  api: Api;
  who: string;
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Called with each message as the server has stored it. */
  stored: (message: Message, key: string) => void;
}

const RETRY_MILLISECONDS = 10_000;

export class Outbox {
  readonly #options: Options;
  readonly #storageKey: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  all: readonly Outgoing[] = $state.raw([]);

  constructor(options: Options) {
    this.#options = options;
    this.#storageKey = `svc.outbox.${options.who}`;
    this.all = this.#read();
  }

  /** Those of one place, without those in threads, or of one thread. */
  of(place: Place, thread?: number): Outgoing[] {
    return this.all.filter(
      (letter) =>
        letter.place.kind === place.kind && letter.place.name === place.name && letter.replyTo === thread,
    );
  }

  /** Sends; the result says whether it was stored. */
  send(letter: Letter): Promise<boolean> {
    const outgoing: Outgoing = {
      ...letter,
      key: newIdempotencyKey(),
      writtenAt: new Date().toISOString(),
      state: 'sending',
      reason: undefined,
      isLost: false,
    };
    this.#set([...this.all, outgoing]);
    return this.#try(outgoing);
  }

  /** Tries one again, under the same key. */
  async retry(key: string): Promise<void> {
    const outgoing = this.all.find((letter) => letter.key === key);
    if (outgoing?.state === 'failed') await this.#try(outgoing);
  }

  /** Tries again what could not reach the server, one after the other and in order. */
  async retryLost(): Promise<void> {
    for (const { key } of this.all.filter(({ isLost }) => isLost)) await this.retry(key);
  }

  /** Takes one out, to be written anew or thrown away. */
  take(key: string): Outgoing | undefined {
    const outgoing = this.all.find((letter) => letter.key === key);
    this.#set(this.all.filter((letter) => letter !== outgoing));
    return outgoing;
  }

  async #try(outgoing: Outgoing): Promise<boolean> {
    const { place, body, subject, priority, replyTo, files, key } = outgoing;
    this.#change(key, { state: 'sending', reason: undefined, isLost: false });
    try {
      const message = await answer(
        this.#options.api.POST('/api/messages', {
          params: { header: { 'Idempotency-Key': key } },
          body: {
            ...(place.kind === 'channel' ? { channel: place.name } : { to: place.name }),
            ...(subject === '' ? {} : { subject }),
            ...(priority === 5 ? {} : { priority }),
            ...(replyTo === undefined ? {} : { reply_to: replyTo }),
            ...(files.length === 0 ? {} : { attachments: files.map(({ hash }) => hash) }),
            body,
          },
        }),
      );
      this.take(key);
      this.#options.stored(message, key);
      return true;
    } catch (error) {
      const isAway = error instanceof Unreachable || (error instanceof Problem && error.status >= 502);
      const reason =
        error instanceof Problem && error.status === 401
          ? 'Your login has ended. Log in again, then send it once more.'
          : reasonOf(error);
      this.#change(key, { state: 'failed', reason, isLost: isAway });
      if (isAway) this.#tryLater();
      return false;
    }
  }

  /** The return of the stream tries at once; a server that was away without it is tried now and then. */
  #tryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.retryLost(), RETRY_MILLISECONDS);
  }

  #change(key: string, changes: Partial<Outgoing>): void {
    this.#set(this.all.map((letter) => (letter.key === key ? { ...letter, ...changes } : letter)));
  }

  #set(all: readonly Outgoing[]): void {
    this.all = all;
    try {
      if (all.length === 0) this.#options.storage().removeItem(this.#storageKey);
      else this.#options.storage().setItem(this.#storageKey, JSON.stringify(all));
    } catch {
      // Without storage what is unsent lives as long as the page.
    }
  }

  /** What was left from before. It may have been stored all the same; the key sees to it that it is once. */
  #read(): Outgoing[] {
    try {
      const stored: unknown = JSON.parse(this.#options.storage().getItem(this.#storageKey) ?? '[]');
      if (!Array.isArray(stored)) return [];
      return stored.filter(isOutgoing).map((letter) => ({
        ...letter,
        state: 'failed' as const,
        reason: letter.reason ?? 'The page was closed before the server had answered.',
      }));
    } catch {
      return [];
    }
  }
}

function isOutgoing(entry: unknown): entry is Outgoing {
  const fields = asObject(entry);
  return (
    asText(fields?.['key']) !== undefined &&
    typeof fields?.['body'] === 'string' &&
    asObject(fields['place']) !== undefined &&
    Array.isArray(fields['files'])
  );
}
