/**
 * Keeps a scrolled list where it is while rows come and go above and below: either at its end, or with
 * the row at the top of the view in place. Browsers do a part of that themselves, each in its own way.
 */

/** This close to the end counts as being there. */
const NEAR = 48;

export class ScrollKeeper {
  readonly #box: HTMLElement;
  #anchor: { element: Element; top: number } | undefined;
  /** Whether the list follows its end. */
  sticks = true;

  constructor(box: HTMLElement) {
    this.#box = box;
  }

  get toEnd(): number {
    return this.#box.scrollHeight - this.#box.scrollTop - this.#box.clientHeight;
  }

  get isAtEnd(): boolean {
    return this.toEnd < NEAR;
  }

  /** To be called before rows change. */
  before(): void {
    if (this.sticks) return;
    const top = this.#box.getBoundingClientRect().top;
    const element = [...this.#box.querySelectorAll('article')].find(
      (row) => row.getBoundingClientRect().bottom > top,
    );
    this.#anchor = element && { element, top: element.getBoundingClientRect().top };
  }

  /** To be called when they have changed. */
  after(): void {
    if (this.sticks) {
      this.toTheEnd();
    } else if (this.#anchor?.element.isConnected) {
      this.#box.scrollTop += this.#anchor.element.getBoundingClientRect().top - this.#anchor.top;
    }
    this.#anchor = undefined;
  }

  toTheEnd(): void {
    this.#box.scrollTop = this.#box.scrollHeight;
  }

  /** Shows an element: in the middle, or at the top with a little of what comes before. */
  show(element: Element, where: 'middle' | 'top'): void {
    const box = this.#box.getBoundingClientRect();
    const row = element.getBoundingClientRect();
    const space = where === 'middle' ? Math.max(0, (box.height - row.height) / 2) : box.height / 5;
    this.#box.scrollTop += row.top - box.top - space;
    this.sticks = false;
  }
}
