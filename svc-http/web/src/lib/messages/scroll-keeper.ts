/**
 * Keeps a scrolled list where it is while rows come and go above and below: either at its end, or with what
 * follows the row at the top of the view in place. Browsers do a part of that themselves, each in its own way.
 */

import type { Side } from './portions';

/** This close to the end counts as being there. */
const NEAR = 48;

/** Where an element is shown. */
type Where = 'middle' | 'top';

/** How much of the view lies above it. */
const SHARE_ABOVE = { middle: 0.5, top: 0.2 } as const;

/** What floats at the top covers nothing that is read. */
const ROOM = 56;

export class ScrollKeeper {
  readonly #box: HTMLElement;
  #anchor: { element: Element; bottom: number } | undefined;
  #position = 0;
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

  /** Whether somebody has scrolled since it was put where it is. */
  get wasScrolled(): boolean {
    return Math.abs(this.#box.scrollTop - this.#position) > 1;
  }

  /** To be called before rows change. */
  before(): void {
    if (this.sticks) return;
    const top = this.#box.getBoundingClientRect().top;
    const element = [...this.#box.querySelectorAll('article')].find(
      (row) => row.getBoundingClientRect().bottom > top,
    );
    this.#anchor = element && { element, bottom: element.getBoundingClientRect().bottom };
  }

  /** To be called when they have changed. */
  after(): void {
    if (this.sticks) {
      this.toTheEnd();
    } else if (this.#anchor?.element.isConnected) {
      this.#moveBy(this.#anchor.element.getBoundingClientRect().bottom - this.#anchor.bottom);
    }
    this.#anchor = undefined;
  }

  toTheEnd(): void {
    this.#moveBy(this.#box.scrollHeight);
  }

  /** Shows an element: in the middle, or at the top with a little of what comes before, if that is there. */
  show(element: Element, where: Where): void {
    const box = this.#box.getBoundingClientRect();
    const row = element.getBoundingClientRect();
    const space =
      where === 'middle'
        ? Math.max(0, (box.height - row.height) / 2)
        : Math.min(
            box.height * SHARE_ABOVE.top,
            Math.max(ROOM, row.top - (this.#edge('first')?.top ?? row.top)),
          );
    this.#moveBy(row.top - box.top - space);
    this.sticks = false;
  }

  /** How far the rows go beyond the view to the top. */
  get beyondTop(): number {
    return this.#box.getBoundingClientRect().top - (this.#edge('first')?.top ?? 0);
  }

  /** On which side rows are missing before an element, or else the end, can be shown. */
  missing(
    element: Element | null | undefined,
    where: Where,
    all: { before: boolean; after: boolean },
  ): Side | undefined {
    const [first, last] = [this.#edge('first'), this.#edge('last')];
    if (!first || !last) return undefined;
    const { clientHeight: height } = this.#box;
    const top = element ? element.getBoundingClientRect().top : last.bottom;
    const [above, below] = [top - first.top, last.bottom - top];
    let wanted = element ? height * (1 - SHARE_ABOVE[where]) : 0;
    if (all.before) wanted = Math.max(wanted, height - above);
    if (below < wanted && !all.after) return 'after';
    return above < height - Math.min(below, wanted) && !all.before ? 'before' : undefined;
  }

  #moveBy(distance: number): void {
    this.#box.scrollTop += distance;
    this.#position = this.#box.scrollTop;
  }

  #edge(which: 'first' | 'last'): DOMRect | undefined {
    const rows = this.#box.getElementsByTagName('article');
    return rows[which === 'first' ? 0 : rows.length - 1]?.getBoundingClientRect();
  }
}
