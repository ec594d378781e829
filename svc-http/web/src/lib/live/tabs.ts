/** Stand-ins for what tabs of a browser share, for tests: locks that go from one to the next, and a channel. */

import { Live } from './live.svelte';
import type { Share } from './shared';
import type { Listener } from './source';

interface Request {
  name: string;
  grant: () => unknown;
  reject: (error: Error) => void;
  isOver: boolean;
}

export class StandInBrowser {
  #held: Request | undefined;
  #queue: Request[] = [];
  #ears = new Map<Tab, Set<(event: MessageEvent) => void>>();
  /** Whether it gives no locks at all. */
  refuses = false;
  readonly opened: { tab: string; after: string | undefined }[] = [];
  readonly streams = new Map<Tab, Listener>();

  tab(name: string): Tab {
    return new Tab(this, name);
  }

  say(from: Tab, data: unknown): void {
    const copy: unknown = structuredClone(data);
    for (const [tab, ears] of this.#ears) {
      if (tab === from || tab.isDeaf) continue;
      void Promise.resolve().then(() => {
        for (const ear of ears) ear({ data: copy } as MessageEvent);
      });
    }
  }

  ears(tab: Tab): Set<(event: MessageEvent) => void> {
    const ears = this.#ears.get(tab) ?? new Set();
    this.#ears.set(tab, ears);
    return ears;
  }

  request(
    name: string,
    { steal, signal }: { steal?: boolean; signal?: AbortSignal },
    grant: () => unknown,
  ): Promise<void> {
    if (this.refuses) return Promise.reject(new DOMException('not here', 'SecurityError'));
    return new Promise((_, reject) => {
      const request: Request = { name, grant, reject, isOver: false };
      signal?.addEventListener('abort', () => {
        request.isOver = true;
        if (this.#held !== request) reject(new DOMException('given up', 'AbortError'));
      });
      if (steal && this.#held) {
        const old = this.#held;
        this.#held = undefined;
        old.reject(new DOMException('stolen', 'AbortError'));
      }
      if (steal) this.#queue.unshift(request);
      else this.#queue.push(request);
      this.#next();
    });
  }

  #next(): void {
    if (this.#held) return;
    const request = this.#queue.shift();
    if (!request) return;
    if (request.isOver) {
      this.#next();
      return;
    }
    this.#held = request;
    void Promise.resolve(request.grant()).then(() => {
      if (this.#held !== request) return;
      this.#held = undefined;
      this.#next();
    });
  }
}

export class Tab {
  readonly #browser: StandInBrowser;
  readonly live: Live;
  readonly heard: string[] = [];
  /** Frozen by the browser: it holds its lock and does not answer. */
  isDeaf = false;
  refusals = 0;
  close: () => void;

  constructor(browser: StandInBrowser, name: string) {
    this.#browser = browser;
    const share: Share = {
      locks: { request: browser.request.bind(browser) as unknown as LockManager['request'] },
      channel: () => ({
        postMessage: (data: unknown) => browser.say(this, data),
        addEventListener: (_: string, ear: unknown) => browser.ears(this).add(ear as never),
        removeEventListener: (_: string, ear: unknown) => browser.ears(this).delete(ear as never),
        close: () => undefined,
      }),
      isVisible: () => true,
    };
    this.live = new Live({
      share,
      random: () => 1,
      refused: () => (this.refusals += 1),
      open: (after, listener) => {
        browser.opened.push({ tab: name, after });
        browser.streams.set(this, listener);
        return () => browser.streams.delete(this);
      },
    });
    this.live.on('new_message', ({ message_id }) => this.heard.push(String(message_id)));
    this.live.on('reset', () => this.heard.push('reset'));
    this.close = this.live.start('ada');
  }

  /** What the server sends over the stream of this tab. */
  greet(seq: number): void {
    this.send('hello', { seq, server_time: new Date(Date.now() + 60_000).toISOString() }, seq);
  }

  say(id: number): void {
    this.send('new_message', { message_id: id }, id);
  }

  send(name: string, data: object, id?: number): void {
    this.#browser.streams
      .get(this)
      ?.event({ id: id === undefined ? undefined : String(id), name, data: JSON.stringify(data) });
  }

  end(reason: 'ended' | 'nobody' = 'ended'): void {
    this.#browser.streams.get(this)?.ended(reason);
  }
}
