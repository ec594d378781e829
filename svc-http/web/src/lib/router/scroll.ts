/**
 * Where the person had scrolled to, for coming back to a page.
 *
 * Browsers restore the position themselves, but at a moment when the page before is still drawn and
 * may be too short. Moves within one page are left to them.
 */

export type Scrollable = Pick<Window, 'scrollY'> & { scrollTo(x: number, y: number): void };

export class ScrollMemory {
  readonly #browser: Scrollable;
  readonly #positions = new Map<string, number>();
  #target: number | undefined;

  constructor(browser: Scrollable) {
    this.#browser = browser;
  }

  /** Notes a move to another address, by a link or by the back and forward buttons. */
  move(left: URL, entered: URL, means: 'link' | 'history'): void {
    this.#positions.set(left.href, this.#browser.scrollY);
    const top = entered.hash === '' ? 0 : undefined;
    this.#target = means === 'link' ? top : this.#positions.get(entered.href);
    if (left.pathname !== entered.pathname) return;
    if (means === 'history') this.#target = undefined;
    this.arrive();
  }

  /** Scrolls to where the entered page begins or was left, now that it is drawn. */
  arrive(): void {
    if (this.#target !== undefined) this.#browser.scrollTo(0, this.#target);
    this.#target = undefined;
  }
}
