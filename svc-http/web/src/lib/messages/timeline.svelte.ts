/**
 * A window on the messages of a conversation. It holds a few hundred at most, whatever the length of
 * the conversation, and moves by pages in both directions. At its newest end it follows the stream.
 */

import { answer, type Api, type Message } from '../api/client';
import { isAborted, isAway, Problem, reasonOf } from '../api/problem';
import type { KeptPage } from '../kept/kept';
import type { Live } from '../live/live.svelte';
import type { MessageSource, Page, Place } from './source';

const PAGE = 50;
/** How many messages the window holds before it lets go of those at its far end. */
export const LARGEST_WINDOW = 250;

interface Options {
  api: Api;
  live: Pick<Live, 'on'>;
  source: MessageSource;
  place: Place;
  /** My handle, to tell which direct messages belong here. */
  me: () => string | undefined;
  /** Whether what I have not read here is unread: only members have something to read. */
  isReader?: () => Promise<boolean>;
  /** The last page that this browser has kept, for times without a connection. */
  kept?: () => Promise<(KeptPage & { readonly keptAt: number }) | undefined>;
  /** Called with what others have said while the window was at its newest end. */
  heard?: (messages: readonly Message[]) => void;
}

export class Timeline {
  readonly #options: Options;
  /** Answers to anything but the newest question about the whole window are outdated. */
  #question = 0;
  #isCatchingUp = false;
  #catchUpAgain = false;
  /** Whether what is unread here is so for me, once that has mattered. */
  #isReader: boolean | undefined;
  readonly #asking = new Set<number>();
  /** Counts the questions about single messages, and keeps for each message the latest one whose answer is here. */
  #asked = 0;
  readonly #answered = new Map<number, number>();

  /** By id, oldest first. */
  messages: readonly Message[] = $state.raw([]);
  hasMoreBefore = $state(false);
  hasMoreAfter = $state(false);
  /** What is on its way. */
  loading: 'window' | 'before' | 'after' | undefined = $state('window');
  /** Why the latest loading did not work. */
  failure: string | undefined = $state();
  /** The conversation does not exist, or not for this person. */
  isMissing = $state(false);
  /** The message up to which I had read when the window was opened; what follows is new. */
  readUpTo: number | undefined = $state();
  /** When what is shown was kept, while the hub cannot be asked for what there is now. */
  keptAt: Date | undefined = $state.raw();
  /** The message that was asked for, when it is not in this conversation. */
  notFound: number | undefined = $state();
  /** How many messages have come while the window was elsewhere. */
  missed = $state(0);

  constructor(options: Options) {
    this.#options = options;
  }

  // Not derived state: what is on its way when the page is left would read it after its end.
  get newest(): Message | undefined {
    return this.messages.at(-1);
  }

  /** Follows the stream from now on; the result stops that. */
  start(): () => void {
    const { live, place } = this.#options;
    const off = [
      live.on('new_message', (event) => {
        if (this.#isHere(event)) this.#said();
      }),
      live.on('message_updated', ({ message_id }) => void this.refresh(message_id)),
      live.on('message_edited', ({ message_id }) => void this.refresh(message_id)),
      live.on('message_deleted', ({ message_id }) => void this.#deleted(message_id)),
      live.on('reaction_changed', ({ message_id }) => void this.refresh(message_id)),
      live.on('emoji_added', ({ message_id }) => void this.refresh(message_id)),
      live.on('emoji_removed', ({ message_id }) => void this.refresh(message_id)),
      live.on('workflow_state_changed', ({ message_id }) => void this.refresh(message_id)),
      live.on('reset', () => void this.#reload()),
      live.on('hello', () => this.#greeted()),
      live.on('channel_changed', ({ channel }) => {
        if (place.kind === 'channel' && channel === place.name) void this.#lookForChannel(channel);
      }),
    ];
    return () => {
      for (const stop of off) stop();
      this.#question += 1;
    };
  }

  /** Opens the window at the newest messages, or around one. */
  async open(around?: number): Promise<void> {
    await this.#window(around === undefined ? { limit: PAGE } : { around, limit: PAGE }, (page) => {
      this.keptAt = undefined;
      this.messages = page.messages;
      this.hasMoreBefore = page.has_more_before;
      this.hasMoreAfter = page.has_more_after;
      if (around !== undefined)
        this.notFound = page.messages.some(({ id }) => id === around) ? undefined : around;
      this.readUpTo ??= this.#cursor(page);
      if (!this.hasMoreAfter) this.missed = 0;
    });
  }

  async loadBefore(): Promise<void> {
    const oldest = this.messages[0];
    if (!oldest || !this.hasMoreBefore || this.loading !== undefined || this.keptAt) return;
    await this.#extend('before', { before: oldest.id, limit: PAGE }, (page) => {
      this.messages = merge(page.messages, this.messages);
      this.hasMoreBefore = page.has_more_before;
      if (this.messages.length > LARGEST_WINDOW) {
        this.messages = this.messages.slice(0, LARGEST_WINDOW);
        this.hasMoreAfter = true;
      }
    });
  }

  async loadAfter(): Promise<void> {
    const { newest } = this;
    if (!newest || !this.hasMoreAfter || this.loading !== undefined) return;
    await this.#extend('after', { after: newest.id, limit: PAGE }, (page) => {
      this.#append(page.messages);
      this.hasMoreAfter = page.has_more_after;
      if (!this.hasMoreAfter) this.missed = 0;
    });
  }

  /** Takes over a message that is known to be the newest state of it, such as one just sent. */
  put(message: Message): void {
    if (this.messages.some(({ id }) => id === message.id)) {
      this.messages = this.messages.map((known) => (known.id === message.id ? message : known));
    } else if (!this.hasMoreAfter && this.loading !== 'window') {
      this.#append([message]);
    }
  }

  /** Takes over what I have done to a message: my reaction, my edit, its end. */
  changed(message: Message): void {
    const known = this.messages.find(({ id }) => id === message.id);
    if (!known) return;
    const isNewer = message.version > known.version || message.deleted_at != null;
    if (isNewer) this.put(message);
    else this.reacted(message);
  }

  /** Takes over what my reaction or emoji has changed. The rest may be newer here, and others may have reacted since. */
  reacted({
    id,
    reactions,
    emoji,
    workflow_state,
  }: Pick<Message, 'id' | 'reactions' | 'emoji' | 'workflow_state'>): void {
    const known = this.messages.find((message) => message.id === id);
    if (!known) return;
    this.put({ ...known, reactions, emoji, workflow_state });
    void this.refresh(id);
  }

  /** Asks for the present state of a message, if it is in the window. */
  async refresh(id: number): Promise<void> {
    if (!this.messages.some((message) => message.id === id) || this.#asking.has(id)) return;
    this.#asking.add(id);
    try {
      // Events about the same message that come at once are answered by one question.
      await Promise.resolve();
      this.#asking.delete(id);
      const question = ++this.#asked;
      const params = { path: { id } };
      const message = await answer(this.#options.api.GET('/api/messages/{id}', { params }));
      if (question < (this.#answered.get(id) ?? 0)) return;
      this.#answered.set(id, question);
      if (this.messages.some((known) => known.id === id)) this.put(message);
    } catch {
      // The next event, or the next look, brings it.
      this.#asking.delete(id);
    }
  }

  /** Takes over the tombstone of a message, and the count of the one that it answered. A copy of a mention is gone. */
  async #deleted(id: number): Promise<void> {
    const known = this.messages.find((message) => message.id === id);
    if (!known) return;
    if ((known.metadata as { mention?: unknown } | null)?.mention !== undefined)
      this.messages = this.messages.filter((message) => message.id !== id);
    else await this.refresh(id);
    if (known.reply_to) void this.refresh(known.reply_to);
  }

  /** Whoever joins has read what was there. So a member without a place has read nothing; for others nothing is new. */
  #cursor({ last_read_message_id, messages }: Page): number | undefined {
    if (last_read_message_id != null) return last_read_message_id;
    if (this.#isReader === undefined) return undefined;
    return this.#isReader ? 0 : (messages.at(-1)?.id ?? 0);
  }

  #isHere(event: { channel: string | null; from: string; to: string | null }): boolean {
    const { place } = this.#options;
    if (place.kind === 'channel') return event.channel === place.name;
    if (event.channel !== null) return false;
    const me = this.#options.me();
    return (event.from === place.name && event.to === me) || (event.to === place.name && event.from === me);
  }

  #said(): void {
    if (this.hasMoreAfter) this.missed += 1;
    else if (this.#isEmptyByFailure) void this.open();
    else void this.#catchUp();
  }

  #greeted(): void {
    if (this.keptAt || this.#isEmptyByFailure) void this.open();
    // Something may have been said after the window was answered and before the stream was there.
    else if (!this.hasMoreAfter) void this.#catchUp();
  }

  /** Then there is no newest message after which anything could follow. */
  get #isEmptyByFailure(): boolean {
    return this.failure !== undefined && this.messages.length === 0;
  }

  /** Whoever was put out of a private channel sees nothing of it any more, and all of it when let in again. */
  async #lookForChannel(name: string): Promise<void> {
    try {
      await answer(this.#options.api.GET('/api/channels/{name}', { params: { path: { name } } }));
      if (this.isMissing) await this.open();
    } catch (error) {
      if (!isNotFound(error) || this.isMissing) return;
      // Whatever is on its way was asked for by somebody who was let in.
      this.#question += 1;
      this.#lose();
    }
  }

  #lose(): void {
    this.isMissing = true;
    this.loading = undefined;
    this.messages = [];
    this.keptAt = undefined;
    this.hasMoreBefore = false;
    this.hasMoreAfter = false;
  }

  /** Fetches what follows the newest message. Events that come meanwhile are one more round. */
  async #catchUp(): Promise<void> {
    if (this.#isCatchingUp || this.loading === 'window') {
      this.#catchUpAgain = true;
      return;
    }
    this.#isCatchingUp = true;
    const question = this.#question;
    try {
      do {
        this.#catchUpAgain = false;
        const after = this.newest?.id ?? 0;
        const page = await this.#options.source.load({ after, limit: 200 });
        if (question !== this.#question || this.hasMoreAfter) return;
        this.#append(page.messages);
        if (page.has_more_after) this.#catchUpAgain = true;
        const me = this.#options.me();
        const others = page.messages.filter(({ from }) => from !== me);
        if (others.length > 0) this.#options.heard?.(others);
      } while (this.#catchUpAgain);
    } catch {
      // Without an answer the stream is mostly lost too; its return tries again.
    } finally {
      this.#isCatchingUp = false;
      // Something was said while another window was opened, after that one's answer had been given.
      if (question !== this.#question && this.#catchUpAgain && !this.hasMoreAfter) void this.#catchUp();
    }
  }

  #append(messages: readonly Message[]): void {
    this.messages = merge(this.messages, messages);
    if (this.messages.length > LARGEST_WINDOW) {
      this.messages = this.messages.slice(-LARGEST_WINDOW);
      this.hasMoreBefore = true;
    }
    for (const { reply_to } of messages) if (reply_to) void this.refresh(reply_to);
  }

  /** Events were missed: the window is loaded anew where it is. */
  async #reload(): Promise<void> {
    const { hasMoreAfter } = this;
    await this.open(hasMoreAfter ? this.messages[Math.floor(this.messages.length / 2)]?.id : undefined);
  }

  async #window(wanted: Parameters<MessageSource['load']>[0], take: (page: Page) => void): Promise<void> {
    this.#question += 1;
    this.#catchUpAgain = false;
    await this.#extend('window', wanted, take);
    if (this.#catchUpAgain && !this.hasMoreAfter && !this.#isEmptyByFailure) void this.#catchUp();
  }

  /** Shows what was kept, if there is something and nothing better on screen. */
  async #recall(question: number): Promise<boolean> {
    if (this.keptAt) return true;
    if (this.messages.length > 0) return false;
    const page = await this.#options.kept?.();
    if (!page || question !== this.#question) return false;
    this.messages = page.messages;
    this.hasMoreBefore = page.hasMoreBefore;
    this.hasMoreAfter = false;
    this.keptAt = new Date(page.keptAt);
    // In one step with the messages: a view that sees them while the window loads would not put them in place.
    this.loading = undefined;
    return true;
  }

  async #extend(
    what: 'window' | 'before' | 'after',
    wanted: Parameters<MessageSource['load']>[0],
    take: (page: Page) => void,
  ): Promise<void> {
    const question = this.#question;
    this.loading = what;
    this.failure = undefined;
    try {
      const page = await this.#options.source.load(wanted);
      if (what === 'window' && page.last_read_message_id == null)
        this.#isReader = await this.#options.isReader?.();
      if (question !== this.#question) return;
      take(page);
      this.isMissing = false;
    } catch (error) {
      if (question !== this.#question || isAborted(error)) return;
      if (isNotFound(error)) this.#lose();
      if (what === 'window' && isAway(error) && (await this.#recall(question))) return;
      this.failure = reasonOf(error);
    } finally {
      if (question === this.#question) this.loading = undefined;
    }
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Problem && error.status === 404;
}

/** Both lists as one, by id; what `newer` says of a message counts. */
function merge(older: readonly Message[], newer: readonly Message[]): Message[] {
  const byId = new Map([...older, ...newer].map((message) => [message.id, message]));
  return [...byId.values()].sort((left, right) => left.id - right.id);
}
