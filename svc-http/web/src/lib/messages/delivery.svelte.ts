/** The delivery status of my newest message. There is no event for it, so it is polled while it is visible. */

import { answer, type Api } from '../api/client';
import { isSettled, summary } from './receipts';

const INTERVAL_MILLISECONDS = 10_000;

type Page = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;

export class DeliveryWatch {
  readonly #api: Api;
  readonly #id: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #page: Page | undefined;
  /** Everybody has read it: there is nothing more to learn by asking. */
  #isSettled = false;
  #isOnScreen = false;
  #isAsking = false;

  words: string | undefined = $state();

  constructor(api: Api, id: number) {
    this.#api = api;
    this.#id = id;
  }

  /** Asks now and then while the tab and the message can be seen; the result stops that. */
  watch(page: Page): () => void {
    this.#page = page;
    const look = () => this.#look();
    page.addEventListener('visibilitychange', look);
    this.#look();
    return () => {
      this.#page = undefined;
      clearTimeout(this.#timer);
      page.removeEventListener('visibilitychange', look);
    };
  }

  /** Whether the message can be seen, as far as it depends on where the list is scrolled to. */
  setOnScreen(isOnScreen: boolean): void {
    if (this.#isOnScreen === isOnScreen) return;
    this.#isOnScreen = isOnScreen;
    this.#look();
  }

  /** The message has changed: what was settled may be another thing now. */
  changed(): void {
    this.#isSettled = false;
    this.#look();
  }

  #look(): void {
    clearTimeout(this.#timer);
    if (this.#isLookedAt() && !this.#isAsking) void this.#ask();
  }

  #isLookedAt(): boolean {
    return this.#page?.visibilityState === 'visible' && this.#isOnScreen && !this.#isSettled;
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      const params = { path: { id: this.#id }, query: { limit: 200 } };
      const { receipts, total } = await answer(this.#api.GET('/api/messages/{id}/receipts', { params }));
      this.words = summary(receipts, total);
      this.#isSettled = isSettled(receipts, total);
    } catch {
      // It is optional; the next poll may succeed.
    } finally {
      this.#isAsking = false;
    }
    clearTimeout(this.#timer);
    if (this.#isLookedAt()) this.#timer = setTimeout(() => this.#look(), INTERVAL_MILLISECONDS);
  }
}
