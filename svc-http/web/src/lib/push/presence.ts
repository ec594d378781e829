/** Tells the server whether this tab is on screen: what a person sees here needs no notification elsewhere. */

import { newIdempotencyKey, type Api } from '../api/client';
import { putPresence } from './api';

/** The server believes it for 45 seconds. */
const AGAIN_MILLISECONDS = 30_000;

/** The parts of a browser that tell; a test gives a small stand-in. */
export interface Sight {
  readonly document: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;
  readonly addEventListener: (name: 'pagehide' | 'pageshow', listener: () => void) => void;
  readonly removeEventListener: (name: 'pagehide' | 'pageshow', listener: () => void) => void;
}

export class TabPresence {
  readonly #api: Api;
  readonly #sight: Sight;
  /** The name of this tab. */
  readonly #page = newIdempotencyKey();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Whether the server was last told that the tab is visible. */
  #said = false;

  constructor(api: Api, sight: Sight) {
    this.#api = api;
    this.#sight = sight;
  }

  /** Tells it from now on; the result stops that. */
  start(): () => void {
    const { document } = this.#sight;
    const look = () => this.look();
    const leave = () => this.withdraw();
    document.addEventListener('visibilitychange', look);
    this.#sight.addEventListener('pageshow', look);
    this.#sight.addEventListener('pagehide', leave);
    this.look();
    return () => {
      document.removeEventListener('visibilitychange', look);
      this.#sight.removeEventListener('pageshow', look);
      this.#sight.removeEventListener('pagehide', leave);
      clearInterval(this.#timer);
      this.#said = false;
    };
  }

  /** Nobody looks at this tab for now. */
  withdraw(): void {
    clearInterval(this.#timer);
    if (!this.#said) return;
    this.#said = false;
    this.#say(false);
  }

  /** Says how it is now. */
  look(): void {
    if (this.#sight.document.visibilityState !== 'visible') {
      this.withdraw();
      return;
    }
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#say(true), AGAIN_MILLISECONDS);
    this.#said = true;
    this.#say(true);
  }

  /** A request that is lost does no harm: it is repeated soon, or the server stops believing the one before. */
  #say(visible: boolean): void {
    void putPresence(this.#api, { visible, page: this.#page }).catch(() => undefined);
  }
}
