/** The log of a run as text, followed while the run is under way. */

import type { Api } from '../api/client';
import { isAborted, reasonOf } from '../api/problem';

/** More than the server keeps; a log beyond that loses its beginning. */
const MOST_LETTERS = 2 * 1024 * 1024;
/** Pieces that come faster than this are shown together. */
const SHOWN_EVERY = 100;
/** Before a stream that broke off is asked for again. */
const AGAIN_AFTER = 2_000;

/** Colours and cursor movements of terminals, and other control characters but line ends and tabs. */
// eslint-disable-next-line no-control-regex
const CONTROLS =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** A log without what only a terminal understands. */
export function plainLog(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/\r(?=.)/g, '\n')
    .replace(CONTROLS, '');
}

export class RunLog {
  readonly #api: Api;
  readonly #id: number;
  #running: AbortController | undefined;
  #raw = '';

  text: string = $state('');
  failure: string | undefined = $state();
  /** Whether everything that there is has been read. */
  complete = $state(false);

  constructor(api: Api, id: number) {
    this.#api = api;
    this.#id = id;
  }

  /** Reads the log until it ends; `isOpen` tells whether more is to come when the stream ends. Returns how to stop. */
  follow(isOpen: () => boolean): () => void {
    const running = new AbortController();
    this.#running?.abort();
    this.#running = running;
    void this.#run(running.signal, isOpen);
    return () => running.abort();
  }

  async #run(signal: AbortSignal, isOpen: () => boolean): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#read(signal);
        if (signal.aborted) return;
        this.failure = undefined;
        // A stream that ends before its run was cut off, for example by a restart of the server.
        if (!isOpen()) {
          this.complete = true;
          return;
        }
      } catch (error) {
        if (signal.aborted || isAborted(error)) return;
        this.failure = reasonOf(error);
        if (!isOpen()) return;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER));
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const params = { path: { id: this.#id }, query: { follow: true } };
    const { data } = await this.#api.GET('/api/runs/{id}/logs', { params, parseAs: 'stream', signal });
    this.#raw = '';
    const reader = (data as ReadableStream<Uint8Array> | null | undefined)?.getReader();
    if (!reader) return this.#show();
    const decoder = new TextDecoder();
    let shown = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        this.#raw += decoder.decode(value, { stream: true });
        if (this.#raw.length > MOST_LETTERS) this.#raw = this.#raw.slice(-MOST_LETTERS);
        if (signal.aborted) return;
        const wait = shown + SHOWN_EVERY - Date.now();
        if (wait <= 0) {
          this.#show();
          shown = Date.now();
        } else {
          timer ??= setTimeout(() => {
            timer = undefined;
            shown = Date.now();
            if (!signal.aborted) this.#show();
          }, wait);
        }
      }
      this.#raw += decoder.decode();
      this.#show();
    } finally {
      clearTimeout(timer);
    }
  }

  #show(): void {
    this.text = plainLog(this.#raw);
  }
}
