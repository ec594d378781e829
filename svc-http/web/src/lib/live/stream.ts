/** A connection to the stream of events. It resumes where it was, and waits longer after each failure. */

import { readEvent, type RawEvent } from './events';
import type { EndReason, OpenSource } from './source';

/** `connecting` only before the first time; `offline` when several tries in a row have failed. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'offline';

/** Receives events, from the stream or from another tab. */
export interface Hearer {
  state(state: LiveState): void;
  event(event: RawEvent): void;
  /** The server does not know the session any more. */
  nobody(): void;
}

/** A way in which events come to this tab. */
export interface Feed {
  /** The last event that came, to go on after it. */
  readonly last: string | undefined;
  start(): void;
  stop(): void;
  /** The network or the person is back: what waits for another try need not wait. */
  wake(): void;
  /** The same, asked for by the person, who does not want to wait long for the next tries either. */
  retry(): void;
  /** The network is gone. */
  lost(): void;
}

export interface StreamOptions {
  open: OpenSource;
  /** From 0 to 1; spreads the tabs that come back after a restart. */
  random?: () => number;
  isOnline?: () => boolean;
}

const FIRST_WAIT_MILLISECONDS = 500;
const LONGEST_WAIT_MILLISECONDS = 30_000;
const TRIES_BEFORE_OFFLINE = 3;

export class Stream implements Feed {
  readonly #options: StreamOptions;
  readonly #hearer: Hearer;
  #close: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last: string | undefined;
  #failures = 0;
  #isStarted = false;

  /** `after` is the last event that this tab knows, when it knows one. */
  constructor(options: StreamOptions, hearer: Hearer, after?: string) {
    this.#options = options;
    this.#hearer = hearer;
    this.#last = after;
  }

  get last(): string | undefined {
    return this.#last;
  }

  start(): void {
    this.#isStarted = true;
    this.#open();
  }

  stop(): void {
    this.#isStarted = false;
    clearTimeout(this.#timer);
    this.#close?.();
  }

  wake(): void {
    if (this.#timer !== undefined) this.#open();
  }

  retry(): void {
    this.#failures = 0;
    this.wake();
  }

  /** A stream may outlive the network for a while; what it would bring then is not fetched anyway. */
  lost(): void {
    this.#close?.();
    this.#close = undefined;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), LONGEST_WAIT_MILLISECONDS);
    this.#hearer.state('offline');
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
    if (event.name === 'hello') {
      this.#failures = 0;
      // What follows the greeting follows this place, also after the log has lost ours.
      this.#last = placeOf(event) ?? this.#last;
      this.#hearer.state('live');
    }
    this.#hearer.event(event);
  }

  #ended(reason: EndReason): void {
    this.#close = undefined;
    if (!this.#isStarted) return;
    if (reason === 'nobody') this.#hearer.nobody();
    this.#failures += 1;
    const isAway = this.#options.isOnline?.() === false;
    this.#hearer.state(isAway || this.#failures > TRIES_BEFORE_OFFLINE ? 'offline' : 'reconnecting');
    const longest = Math.min(LONGEST_WAIT_MILLISECONDS, FIRST_WAIT_MILLISECONDS * 2 ** (this.#failures - 1));
    const random = this.#options.random ?? Math.random;
    this.#timer = setTimeout(() => this.#open(), longest * (0.5 + random() / 2));
  }
}

/** The place in the log that a greeting names. */
export function placeOf(hello: RawEvent): string | undefined {
  const seq = (readEvent(hello) as { seq?: unknown } | undefined)?.seq;
  return typeof seq === 'number' ? String(seq) : hello.id;
}

/** The hub's time minus ours, in milliseconds, as a greeting tells it. */
export function skewOf(hello: RawEvent): number | undefined {
  const text = (readEvent(hello) as { server_time?: unknown } | undefined)?.server_time;
  const theirs = typeof text === 'string' ? Date.parse(text) : NaN;
  return Number.isFinite(theirs) ? theirs - Date.now() : undefined;
}
