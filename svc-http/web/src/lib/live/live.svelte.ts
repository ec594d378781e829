/** The one stream of events of this tab: it resumes where it was, and tells everybody who listens. */

import { readEvent, type LiveEvents, type LiveName, type RawEvent } from './events';
import type { EndReason, OpenSource } from './source';

/** `connecting` only before the first time; `offline` when several tries in a row have failed. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'offline';

const FIRST_WAIT_MILLISECONDS = 500;
const LONGEST_WAIT_MILLISECONDS = 30_000;
const TRIES_BEFORE_OFFLINE = 3;

type Listener<Name extends LiveName> = (event: LiveEvents[Name]) => void;

interface Options {
  open: OpenSource;
  /** From 0 to 1; spreads the tabs that come back after a restart. */
  random?: () => number;
  /** Called when the server does not know the session any more. */
  sessionEnded?: () => void;
  /** `window`, for news of the network and of the tab. */
  browser?: Pick<Window, 'addEventListener' | 'removeEventListener'> & { navigator: { onLine: boolean } };
}

export class Live {
  readonly #options: Options;
  readonly #listeners = new Map<LiveName, Set<Listener<never>>>();
  #close: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last: string | undefined;
  #failures = 0;
  #started = false;

  state: LiveState = $state('connecting');
  /** The hub's time minus ours, in milliseconds; a wrong clock here does not make messages come from the future. */
  skew = $state(0);

  constructor(options: Options) {
    this.#options = options;
  }

  /** Listens from now on; the result stops that. */
  start(): () => void {
    const { browser } = this.#options;
    const wake = () => this.#wake();
    const lost = () => this.#lost();
    this.#started = true;
    browser?.addEventListener('online', wake);
    browser?.addEventListener('focus', wake);
    browser?.addEventListener('offline', lost);
    this.#open();
    return () => {
      this.#started = false;
      browser?.removeEventListener('online', wake);
      browser?.removeEventListener('focus', wake);
      browser?.removeEventListener('offline', lost);
      clearTimeout(this.#timer);
      this.#close?.();
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
    this.#failures = 0;
    this.#wake();
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#close?.();
    this.#close = this.#options.open(this.#last, {
      opened: () => undefined,
      event: (event) => this.#take(event),
      ended: (reason) => this.#ended(reason),
    });
  }

  #take(event: RawEvent): void {
    if (event.id !== undefined) this.#last = event.id;
    const fields = event.name === '' ? undefined : readEvent(event);
    if (fields === undefined) return;
    if (event.name === 'hello') this.#greeted(fields as LiveEvents['hello']);
    this.#tell(event.name as LiveName, fields as never);
  }

  #greeted(hello: LiveEvents['hello']): void {
    this.#failures = 0;
    // What follows the greeting follows this place, also after the log has lost ours.
    this.#last = String(hello.seq);
    this.state = 'live';
    const theirs = Date.parse(hello.server_time);
    if (Number.isFinite(theirs)) this.skew = theirs - Date.now();
  }

  #tell<Name extends LiveName>(name: Name, event: LiveEvents[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) (listener as Listener<Name>)(event);
  }

  #ended(reason: EndReason): void {
    this.#close = undefined;
    if (!this.#started) return;
    if (reason === 'nobody') this.#options.sessionEnded?.();
    this.#failures += 1;
    const isAway = this.#options.browser?.navigator.onLine === false;
    this.state = isAway || this.#failures > TRIES_BEFORE_OFFLINE ? 'offline' : 'reconnecting';
    const longest = Math.min(LONGEST_WAIT_MILLISECONDS, FIRST_WAIT_MILLISECONDS * 2 ** (this.#failures - 1));
    const random = this.#options.random ?? Math.random;
    this.#timer = setTimeout(() => this.#open(), longest * (0.5 + random() / 2));
  }

  #wake(): void {
    if (this.#timer !== undefined) this.#open();
  }

  /** A stream may outlive the network for a while; what it would bring then is not fetched anyway. */
  #lost(): void {
    this.#close?.();
    this.#close = undefined;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), LONGEST_WAIT_MILLISECONDS);
    this.state = 'offline';
  }
}
