/**
 * One stream of events for all tabs of a browser, which has only about six connections to a server. The tab that
 * holds the lock leads: it has the stream, and passes on what comes. When it is closed the lock goes to the next
 * tab, which resumes after the last event that it has seen.
 */

import { newIdempotencyKey } from '../api/client';
import type { RawEvent } from './events';
import { Recent } from './recent';
import { skewOf, Stream, type Feed, type Hearer, type LiveState, type StreamOptions } from './stream';

export interface Share {
  readonly locks: Pick<LockManager, 'request'>;
  readonly channel: (
    name: string,
  ) => Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener' | 'close'>;
  /** Whether this tab is visible. Browsers slow down timers in hidden tabs. */
  readonly isVisible: () => boolean;
}

/** What this browser has for that; nothing where one of the two is missing, as on pages without TLS. */
export function shareOf({ navigator, document }: Window): Share | undefined {
  // The types know only browsers in which both are always there.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return undefined;
  return {
    locks,
    channel: (name) => new BroadcastChannel(name),
    isVisible: () => document.visibilityState === 'visible',
  };
}

/** What tabs say to each other. Other versions of the program say other things, under another name. */
const VERSION = 1;
type Word =
  /** Another tab leads from now on: everybody joins it. */
  | { kind: 'lead' }
  /** Asks the leader for what the tab has missed, and whether it is there at all. */
  | { kind: 'join'; tab: string; last: string | undefined }
  | { kind: 'welcome'; leader: string; to: string; state: LiveState; skew: number; last: string | undefined }
  /** Without events when too much was missed to be told. */
  | {
      kind: 'missed';
      leader: string;
      to: string;
      events: readonly RawEvent[] | undefined;
      last: string | undefined;
    }
  | { kind: 'event'; leader: string; event: RawEvent }
  | { kind: 'state'; leader: string; state: LiveState }
  | { kind: 'nobody'; leader: string }
  | { kind: 'wake'; isAsked: boolean };

/** How often a tab looks whether the leader is still there, and how long it waits for an answer. */
const LOOK_MILLISECONDS = 10_000;
const PATIENCE_MILLISECONDS = 4_000;

export class SharedStream implements Feed {
  readonly #options: StreamOptions;
  readonly #hearer: Hearer;
  readonly #share: Share;
  readonly #name: string;
  readonly #tab = newIdempotencyKey();
  readonly #recent = new Recent();
  #channel: ReturnType<Share['channel']> | undefined;
  #waiting: AbortController | undefined;
  /** The stream, while this tab leads. */
  #stream: Stream | undefined;
  #resign: (() => void) | undefined;
  /** The tab that leads, once it has welcomed this one. */
  #leader: string | undefined;
  #state: LiveState = 'connecting';
  #skew = 0;
  #look: ReturnType<typeof setInterval> | undefined;
  #alarm: ReturnType<typeof setTimeout> | undefined;

  /** `after` is the last event that this tab knows, when it knows one. */
  constructor(options: StreamOptions, hearer: Hearer, share: Share, who: string, after?: string) {
    this.#options = options;
    this.#hearer = hearer;
    this.#share = share;
    this.#name = `svc.stream.${VERSION}.${who}`;
    this.#recent.beginAt(after);
  }

  get last(): string | undefined {
    return this.#recent.last;
  }

  start(): void {
    this.#channel = this.#share.channel(this.#name);
    this.#channel.addEventListener('message', this.#heard);
    this.#look = setInterval(() => this.#lookAround(), LOOK_MILLISECONDS);
    this.#queue();
    this.#join();
  }

  stop(): void {
    const channel = this.#channel;
    this.#channel = undefined;
    channel?.removeEventListener('message', this.#heard);
    channel?.close();
    clearInterval(this.#look);
    clearTimeout(this.#alarm);
    this.#waiting?.abort();
    this.#stream?.stop();
    this.#stream = undefined;
    this.#resign?.();
  }

  wake(): void {
    this.#urge(false);
  }

  retry(): void {
    this.#urge(true);
  }

  /** Every tab learns that from the browser; the one with the stream acts on it. */
  lost(): void {
    if (this.#stream) this.#stream.lost();
    else this.#show('offline');
  }

  #lookAround(): void {
    if (this.#stream) return;
    // A leader that nobody looks at tries again only now and then, however short it means to wait.
    if (this.#state !== 'live' && this.#share.isVisible()) this.#urge(false);
    else this.#join();
  }

  #urge(isAsked: boolean): void {
    if (this.#stream) {
      if (isAsked) this.#stream.retry();
      else this.#stream.wake();
      return;
    }
    this.#say({ kind: 'wake', isAsked });
    this.#join();
  }

  /** Waits for the lock; with `steal`, takes it from a tab that does not answer. */
  #queue(steal = false): void {
    this.#waiting?.abort();
    const waiting = new AbortController();
    this.#waiting = waiting;
    const how = steal ? { steal } : { signal: waiting.signal };
    this.#share.locks
      .request(this.#name, how, () => this.#lead())
      // A request that was given up needs nothing; a lock that was taken away leaves this tab in the queue again.
      .catch(() => (waiting.signal.aborted || !this.#channel ? undefined : this.#deposed()));
  }

  /** Leads until the tab stops, or the lock is taken away. */
  #lead(): Promise<void> | undefined {
    if (!this.#channel) return undefined;
    clearTimeout(this.#alarm);
    this.#alarm = undefined;
    this.#leader = undefined;
    const hearer: Hearer = {
      state: (state) => {
        this.#show(state);
        this.#say({ kind: 'state', leader: this.#tab, state });
      },
      event: (event) => {
        if (!this.#take(event)) return;
        this.#say({ kind: 'event', leader: this.#tab, event });
      },
      nobody: () => {
        this.#hearer.nobody();
        this.#say({ kind: 'nobody', leader: this.#tab });
      },
    };
    this.#stream = new Stream(this.#options, hearer, this.#recent.last);
    this.#say({ kind: 'lead' });
    this.#stream.start();
    return new Promise((resolve) => (this.#resign = resolve));
  }

  #deposed(): void {
    const isAlone = this.#stream === undefined;
    this.#stream?.stop();
    this.#stream = undefined;
    if (isAlone) {
      // The browser gives no locks to this page: it has a stream of its own, as if there were no other tabs.
      void this.#lead();
      return;
    }
    this.#queue();
    this.#join();
  }

  /** Asks the leader what was missed. One that does not answer is frozen or hangs: then this tab leads. */
  #join(): void {
    if (this.#stream || !this.#channel) return;
    this.#say({ kind: 'join', tab: this.#tab, last: this.#recent.last });
    this.#alarm ??= setTimeout(() => {
      this.#alarm = undefined;
      this.#queue(true);
    }, PATIENCE_MILLISECONDS);
  }

  readonly #heard = ({ data }: MessageEvent<Word>): void => {
    if (this.#stream) this.#heardAsLeader(data);
    else this.#heardAsFollower(data);
  };

  #heardAsLeader(word: Word): void {
    if (word.kind === 'wake') {
      if (word.isAsked) this.#stream?.retry();
      else this.#stream?.wake();
    }
    if (word.kind !== 'join') return;
    const { tab: to, last } = word;
    const common = { leader: this.#tab, to };
    const { last: ours } = this.#recent;
    this.#say({ kind: 'welcome', ...common, state: this.#state, skew: this.#skew, last: ours });
    if (last !== undefined && last !== ours)
      this.#say({ kind: 'missed', ...common, events: this.#recent.after(last), last: ours });
  }

  #heardAsFollower(word: Word): void {
    if (word.kind === 'lead') {
      this.#leader = undefined;
      clearTimeout(this.#alarm);
      this.#alarm = undefined;
      this.#join();
    } else if (word.kind === 'welcome' && word.to === this.#tab) this.#welcomed(word);
    else if (!('leader' in word) || word.leader !== this.#leader) return;
    else if (word.kind === 'missed' && word.to === this.#tab) this.#caughtUp(word);
    else if (word.kind === 'event') this.#follow(word.event);
    else if (word.kind === 'state') this.#show(word.state);
    else if (word.kind === 'nobody') this.#hearer.nobody();
  }

  #welcomed({ leader, state, skew, last }: Extract<Word, { kind: 'welcome' }>): void {
    clearTimeout(this.#alarm);
    this.#alarm = undefined;
    this.#leader = leader;
    if (this.#recent.last === undefined) this.#recent.beginAt(last);
    const wasLive = this.#state === 'live';
    this.#show(state === 'connecting' && this.#state !== 'connecting' ? 'reconnecting' : state);
    if (state === 'live' && !wasLive) this.#hearer.event(this.#greeting(skew));
  }

  #greeting(skew: number): RawEvent {
    const { last: id } = this.#recent;
    const server_time = new Date(Date.now() + skew).toISOString();
    return { id, name: 'hello', data: JSON.stringify({ seq: Number(id ?? 0), server_time }) };
  }

  /** Without the events, those between are lost to this tab, and it loads anew. */
  #caughtUp({ events, last }: Extract<Word, { kind: 'missed' }>): void {
    if (events) {
      for (const event of events) this.#take(event);
      return;
    }
    this.#recent.beginAt(last);
    this.#reset();
  }

  #follow(event: RawEvent): void {
    const isGap = event.name === 'hello' && this.#recent.isAhead(event);
    this.#take(event);
    if (isGap) this.#reset();
  }

  #reset(): void {
    this.#hearer.event({ id: undefined, name: 'reset', data: JSON.stringify({ reason: 'expired' }) });
  }

  /** Tells this tab of an event, unless it has had it. */
  #take(event: RawEvent): boolean {
    if (!this.#recent.take(event)) return false;
    if (event.name === 'hello') this.#skew = skewOf(event) ?? this.#skew;
    this.#hearer.event(event);
    return true;
  }

  #show(state: LiveState): void {
    this.#state = state;
    this.#hearer.state(state);
  }

  #say(word: Word): void {
    this.#channel?.postMessage(word);
  }
}
