/**
 * The way of all requests to the API, which a logout closes: what is on its way is answered first, and nothing more is
 * asked in the name of somebody who leaves.
 */

/** How long a logout waits for answers. */
const PATIENCE_MILLISECONDS = 2_000;

interface Waiting {
  go(): void;
  give(reason: DOMException): void;
}

export class Gate {
  readonly #send: typeof fetch;
  readonly #running = new Set<Promise<unknown>>();
  #waiting: Waiting[] = [];
  #isOpen = true;

  constructor(send: typeof fetch) {
    this.#send = send;
  }

  readonly fetch: typeof fetch = async (...request) => {
    if (!this.#isOpen) await new Promise<void>((go, give) => this.#waiting.push({ go, give }));
    const answer = this.#send(...request);
    this.#running.add(answer);
    try {
      return await answer;
    } finally {
      this.#running.delete(answer);
    }
  };

  /** Lets nothing more through, and returns when everything that was let through has been answered. */
  async close(): Promise<void> {
    this.#isOpen = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise((done) => (timer = setTimeout(done, PATIENCE_MILLISECONDS)));
    await Promise.race([Promise.allSettled(this.#running), patience]);
    clearTimeout(timer);
  }

  /** Lets everything through again. What waited goes on, or is given up when the person has left. */
  open({ hasLeft }: { hasLeft: boolean }): void {
    this.#isOpen = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { go, give } of waiting) {
      if (hasLeft) give(new DOMException('Somebody has logged out.', 'AbortError'));
      else go();
    }
  }
}
