/**
 * Messages on their way. Each has a key, so that however often it is tried it is stored once. What the server has
 * not confirmed stays here with its reason, also after a reload. Tabs share what is unsent, letter by letter.
 */

import { answer, newIdempotencyKey, type Api, type Message } from '../api/client';
import { isAway, Problem, reasonOf } from '../api/problem';
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
  /** Whether nothing is wrong with it but the connection or the login: then it is tried again by itself. */
  readonly isLost: boolean;
}

export interface LetterStorage extends Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key'> {
  readonly length: number;
}

interface Options {
  api: Api;
  who: string;
  storage: () => LetterStorage;
  /** With them it is known which letters another tab is sending. */
  locks?: Pick<LockManager, 'request'> | undefined;
  /** Whether it is not known for certain in whose name something would be sent. */
  isHeld?: () => boolean;
  /** Whether nobody is logged in, so that trying again by itself makes no sense. */
  isLoggedOut?: () => boolean;
  /** Called with each message as the server has stored it. */
  stored: (message: Message, key: string) => void;
}

/** After this time one wants to know in every tab what is on its way. */
const SLOW_MILLISECONDS = 1_000;
const RETRY_MILLISECONDS = 10_000;
/** What another tab has stored may be seen a moment later than that it has finished. */
const GRACE_MILLISECONDS = 300;
const AWAY = 'Cannot reach the server. The message is sent when the connection is back.';
const LEFT = 'The page was closed before the server responded.';

export class Outbox {
  readonly #options: Options;
  readonly #prefix: string;
  /** Those that this tab is sending. */
  readonly #mine = new Set<string>();
  /** Those that are shown here while they are on their way. */
  readonly #shown = new Set<string>();
  /** Those that could not be stored: no other tab knows of them. */
  readonly #unstored = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  all: readonly Outgoing[] = $state.raw([]);

  constructor(options: Options) {
    this.#options = options;
    this.#prefix = `svc.outbox.${options.who}.`;
    this.all = this.#read();
    for (const { key } of this.all) this.#shown.add(key);
    for (const { key, state } of this.all) if (state === 'sending') void this.#adopt(key);
    if (this.all.some(({ isLost }) => isLost)) this.#tryLater();
  }

  /**
   * Those of one place, without those in threads, or of one thread. What another tab has just begun to send is shown
   * there: here the message may come before the word that it was sent, and would stand here twice.
   */
  of(place: Place, thread?: number): Outgoing[] {
    return this.all.filter(
      (letter) =>
        letter.place.kind === place.kind &&
        letter.place.name === place.name &&
        letter.replyTo === thread &&
        (letter.state === 'failed' || this.#shown.has(letter.key) || this.#mine.has(letter.key)),
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
    this.#shown.add(outgoing.key);
    this.all = [...this.all, outgoing];
    this.#write(outgoing);
    return this.#try(outgoing);
  }

  /** Tries one again, under the same key. */
  async retry(key: string): Promise<void> {
    const outgoing = this.all.find((letter) => letter.key === key);
    if (outgoing?.state === 'failed') await this.#try(outgoing);
  }

  /** Tries again what could not reach the server, one after the other and in order; one tab does it for all. */
  async retryLost(): Promise<void> {
    const { isHeld, isLoggedOut, locks, who } = this.#options;
    if (isHeld?.() || isLoggedOut?.()) return;
    const round = async () => {
      for (const { key } of this.all.filter(({ isLost }) => isLost)) await this.retry(key);
    };
    if (!locks) return round();
    const taken = (lock: Lock | null) => (lock ? round() : undefined);
    await locks.request(`svc.outbox.${who}`, { ifAvailable: true }, taken).catch(round);
  }

  /** Takes one out, to be written anew or thrown away. */
  take(key: string): Outgoing | undefined {
    const outgoing = this.all.find((letter) => letter.key === key);
    this.all = this.all.filter((letter) => letter !== outgoing);
    this.#erase(key);
    return outgoing;
  }

  /** Throws everything away. */
  clear(): void {
    for (const { key } of this.all) this.take(key);
  }

  /** Another tab has written, sent or thrown away a letter. */
  storedElsewhere({ key: name, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): void {
    const key = this.#keyIn(name ?? '');
    if (key === undefined || this.#mine.has(key)) return;
    const letter = parse(newValue);
    this.#know(key, letter);
    if (letter?.state === 'sending') setTimeout(() => this.#showSlow(key), SLOW_MILLISECONDS);
    // The other tab may be closed before it has finished, or before its next try.
    if (letter?.state === 'sending' && this.#options.locks) void this.#adopt(key);
    if (letter?.isLost) this.#tryLater();
  }

  #showSlow(key: string): void {
    this.#shown.add(key);
    this.all = [...this.all];
  }

  /** Takes over what is stored of a letter, or that nothing is. */
  #know(key: string, letter: Outgoing | undefined): void {
    const others = this.all.filter((known) => known.key !== key);
    this.all = letter ? [...others, letter].sort(byTime) : others;
  }

  /** The key of the letter that is stored under this name, if it is one of ours. */
  #keyIn(name: string): string | undefined {
    const key = name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : '';
    return /^[\da-f]{32}$/.test(key) ? key : undefined;
  }

  async #try(outgoing: Outgoing): Promise<boolean> {
    const { locks } = this.#options;
    if (!locks) return this.#send(outgoing);
    // While another tab sends it, this one waits for its turn.
    return locks.request(lockOf(outgoing.key), () => this.#send(outgoing)).catch(() => this.#send(outgoing));
  }

  async #send(outgoing: Outgoing): Promise<boolean> {
    const { key } = outgoing;
    if (!this.#isStored(key)) this.#know(key, undefined);
    // Another tab may have sent it while this one waited for its turn.
    if (!this.all.some((letter) => letter.key === key)) return true;
    if (this.#options.isHeld?.()) {
      this.#change(key, { state: 'failed', reason: AWAY, isLost: true });
      return false;
    }
    this.#mine.add(key);
    this.#change(key, { state: 'sending', reason: undefined, isLost: false });
    try {
      const message = await this.#post(outgoing);
      this.take(key);
      this.#options.stored(message, key);
      return true;
    } catch (error) {
      this.#failed(key, error);
      return false;
    } finally {
      this.#mine.delete(key);
    }
  }

  #post({ place, body, subject, priority, replyTo, files, key }: Outgoing): Promise<Message> {
    return answer(
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
  }

  #failed(key: string, error: unknown): void {
    if (isAway(error)) {
      this.#change(key, { state: 'failed', reason: AWAY, isLost: true });
      this.#tryLater();
    } else if (error instanceof Problem && error.status === 401) {
      const reason = 'Your session has expired. Log in again to send it.';
      this.#change(key, { state: 'failed', reason, isLost: true });
    } else this.#change(key, { state: 'failed', reason: reasonOf(error), isLost: false });
  }

  /** The return of the stream tries at once; a server that was away without it is tried now and then. */
  #tryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.retryLost(), RETRY_MILLISECONDS);
  }

  #change(key: string, changes: Partial<Outgoing>): void {
    this.all = this.all.map((letter) => (letter.key === key ? { ...letter, ...changes } : letter));
    const changed = this.all.find((letter) => letter.key === key);
    if (changed) this.#write(changed);
  }

  #write(letter: Outgoing): void {
    try {
      this.#options.storage().setItem(this.#prefix + letter.key, JSON.stringify(letter));
      this.#unstored.delete(letter.key);
    } catch {
      // Without storage what is unsent lives as long as the page.
      this.#unstored.add(letter.key);
    }
  }

  #isStored(key: string): boolean {
    try {
      return this.#unstored.has(key) || this.#options.storage().getItem(this.#prefix + key) !== null;
    } catch {
      return true;
    }
  }

  #erase(key: string): void {
    try {
      this.#options.storage().removeItem(this.#prefix + key);
    } catch {
      // What cannot be stored cannot be left behind.
    }
  }

  /** A letter that another tab is sending is on its way until that tab has finished, or is closed. */
  async #adopt(key: string): Promise<void> {
    const { locks } = this.#options;
    if (!locks) {
      this.#abandoned(key);
      return;
    }
    const finished = () => {
      if (this.#isStored(key)) this.#abandoned(key);
      else this.#know(key, undefined);
    };
    try {
      await locks.request(lockOf(key), () => undefined);
      await new Promise((resolve) => setTimeout(resolve, GRACE_MILLISECONDS));
      // Whoever has taken it up meanwhile has told so.
      await locks.request(lockOf(key), { ifAvailable: true }, (lock) => (lock ? finished() : undefined));
    } catch {
      this.#abandoned(key);
    }
  }

  #abandoned(key: string): void {
    const letter = this.all.find((one) => one.key === key);
    if (letter?.state === 'sending' && !this.#mine.has(key))
      this.#change(key, { state: 'failed', reason: LEFT, isLost: false });
  }

  /** What was left from before, or is on its way in another tab. */
  #read(): Outgoing[] {
    try {
      const storage = this.#options.storage();
      const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
      return names
        .filter((name) => this.#keyIn(name) !== undefined)
        .flatMap((name) => parse(storage.getItem(name)) ?? [])
        .sort(byTime);
    } catch {
      return [];
    }
  }
}

const lockOf = (key: string) => `svc.letter.${key}`;

function byTime(left: Outgoing, right: Outgoing): number {
  return left.writtenAt < right.writtenAt ? -1 : 1;
}

function parse(text: string | null): Outgoing | undefined {
  try {
    const letter: unknown = JSON.parse(text ?? 'null');
    return isOutgoing(letter) ? letter : undefined;
  } catch {
    return undefined;
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
