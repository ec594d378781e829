/** Events of the hub, for all listeners in this tab. */

import { readEvent, type LiveEvents, type LiveName, type RawEvent } from './events';
import { SharedStream, type Share } from './shared';
import { skewOf, Stream, type Feed, type Hearer, type LiveState, type StreamOptions } from './stream';

export type { LiveState } from './stream';

type Listener<Name extends LiveName> = (event: LiveEvents[Name]) => void;

interface Options extends Omit<StreamOptions, 'isOnline'> {
  /** Called when the server has answered with 401. */
  refused?: () => void;
  /** `window`, for news of the network and of the tab. */
  browser?: Pick<Window, 'addEventListener' | 'removeEventListener'> & { navigator: { onLine: boolean } };
  /** Called when somebody wants another try before anything was started. */
  retryUnstarted?: () => void;
  /** What the tabs of a browser need to use one stream together; without it each has its own. */
  share?: Share | undefined;
}

export class Live {
  readonly #options: Options;
  readonly #listeners = new Map<LiveName, Set<Listener<never>>>();
  #feed: Feed | undefined;
  /** Where an earlier feed has ended: after another login of the same person the next one goes on there. */
  #last: string | undefined;

  state: LiveState = $state('connecting');
  /** The hub's time minus ours, in milliseconds; a wrong clock here does not make messages come from the future. */
  skew = $state(0);

  /** Until when what is on screen was current, while it is not. */
  currentUntil: Date | undefined = $state.raw();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Listens from now on; the result stops that. Tabs of the same person share their stream. */
  start(who?: string): () => void {
    const { browser } = this.#options;
    const feed = this.#newFeed(who);
    const wake = () => feed.wake();
    const lost = () => feed.lost();
    browser?.addEventListener('online', wake);
    browser?.addEventListener('focus', wake);
    browser?.addEventListener('offline', lost);
    this.#feed = feed;
    feed.start();
    return () => {
      browser?.removeEventListener('online', wake);
      browser?.removeEventListener('focus', wake);
      browser?.removeEventListener('offline', lost);
      feed.stop();
      this.#last = feed.last;
      this.#feed = undefined;
      this.#changed('offline');
    };
  }

  /** Calls `listener` for each event of that name; the result ends that. */
  on<Name extends LiveName>(name: Name, listener: Listener<Name>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener as Listener<never>));
    return () => listeners.delete(listener as Listener<never>);
  }

  /** Tries again at once when it would otherwise wait. */
  retry(): void {
    if (this.#feed) this.#feed.retry();
    else this.#options.retryUnstarted?.();
  }

  /** What is on screen is from then, and the hub cannot be asked. */
  showKept(moment: Date): void {
    this.state = 'offline';
    this.currentUntil = moment;
  }

  #newFeed(who: string | undefined): Feed {
    const { browser, share, ...stream } = this.#options;
    const options = { ...stream, isOnline: () => browser?.navigator.onLine !== false };
    const hearer: Hearer = {
      state: (state) => this.#changed(state),
      event: (event) => this.#take(event),
      nobody: () => this.#options.refused?.(),
    };
    return share && who !== undefined
      ? new SharedStream(options, hearer, share, who, this.#last)
      : new Stream(options, hearer, this.#last);
  }

  #changed(state: LiveState): void {
    if (state === 'live') this.currentUntil = undefined;
    else if (this.state === 'live') this.currentUntil = new Date();
    this.state = state;
  }

  #take(event: RawEvent): void {
    const fields = event.name === '' ? undefined : readEvent(event);
    if (fields === undefined) return;
    if (event.name === 'hello') this.skew = skewOf(event) ?? this.skew;
    this.#tell(event.name as LiveName, fields as never);
  }

  #tell<Name extends LiveName>(name: Name, event: LiveEvents[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) (listener as Listener<Name>)(event);
  }
}
