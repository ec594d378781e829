/**
 * The tabs of a browser, so that one of them shows a notification: the one that holds the lock. It asks the others
 * which pages are on screen.
 */

import { newIdempotencyKey } from '../api/client';

export interface Surroundings {
  readonly locks: Pick<LockManager, 'request'>;
  readonly channel: (
    name: string,
  ) => Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener' | 'close'>;
  /** The path of the page that is on screen in this tab; nothing while the tab is hidden. */
  readonly path: () => string | undefined;
}

/** How long the others have to answer. A hidden tab does not matter, and one on screen is awake. */
const PATIENCE_MILLISECONDS = 250;

type Word = { kind: 'ask'; question: string } | { kind: 'tell'; question: string; path: string };

export class OpenTabs {
  readonly #around: Surroundings;
  readonly #name: string;
  readonly #answers = new Map<string, string[]>();
  #channel: ReturnType<Surroundings['channel']> | undefined;
  #waiting: AbortController | undefined;
  #resign: (() => void) | undefined;
  /** Whether this tab is the one that shows notifications. */
  isFirst = false;

  constructor(around: Surroundings, who: string) {
    this.#around = around;
    this.#name = `svc.notifications.1.${who}`;
  }

  /** Takes part from now on; the result stops that. */
  start(): () => void {
    const channel = this.#around.channel(this.#name);
    const waiting = new AbortController();
    [this.#channel, this.#waiting] = [channel, waiting];
    channel.addEventListener('message', this.#heard);
    this.#around.locks
      .request(this.#name, { signal: waiting.signal }, () => {
        if (waiting.signal.aborted) return undefined;
        this.isFirst = true;
        return new Promise<void>((resolve) => (this.#resign = resolve));
      })
      // Given up, or refused by the browser: then this tab shows nothing.
      .catch(() => undefined);
    return () => this.#stop();
  }

  /** The paths that are on screen in this browser. */
  async onScreen(): Promise<readonly string[]> {
    const question = newIdempotencyKey();
    const own = this.#around.path();
    const paths = own === undefined ? [] : [own];
    this.#answers.set(question, paths);
    this.#say({ kind: 'ask', question });
    await new Promise((resolve) => setTimeout(resolve, PATIENCE_MILLISECONDS));
    this.#answers.delete(question);
    return paths;
  }

  readonly #heard = ({ data }: MessageEvent<Word>): void => {
    if (data.kind === 'tell') {
      this.#answers.get(data.question)?.push(data.path);
      return;
    }
    const path = this.#around.path();
    if (path !== undefined) this.#say({ kind: 'tell', question: data.question, path });
  };

  #say(word: Word): void {
    this.#channel?.postMessage(word);
  }

  #stop(): void {
    this.#channel?.removeEventListener('message', this.#heard);
    this.#channel?.close();
    this.#channel = undefined;
    this.#waiting?.abort();
    this.#resign?.();
    this.isFirst = false;
  }
}
