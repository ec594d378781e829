/** The part of a timeline's rows that is drawn, as `portions.ts` says. */

import { tick } from 'svelte';
import { endsOf, firstSpan, grown, spanOf, type Ends, type Span } from './portions';

interface Options {
  /** All rows, oldest first, by the ids of their messages. */
  list: () => readonly { readonly id: number }[];
  /** The position at which the view begins, when that is not the end. */
  beginsAt: () => number | undefined;
}

export class Drawn {
  readonly #options: Options;
  /** Nothing before the first rows have been put in place. */
  #ends: Ends | undefined = $state.raw();
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly span: Span = $derived.by(() => {
    const { list, beginsAt } = this.#options;
    return this.#ends ? spanOf(list(), this.#ends) : firstSpan(list().length, beginsAt());
  });
  readonly isFromBeginning: boolean = $derived.by(() => this.span.from === 0);
  readonly isToEnd: boolean = $derived.by(() => this.span.to === this.#options.list().length);

  constructor(options: Options) {
    this.#options = options;
  }

  /** From now on what is drawn stays, whatever comes. */
  settle(): void {
    this.#ends ??= endsOf(this.#options.list(), this.span);
  }

  /** A few more rows, in a task of their own, so that the page can be used in between. */
  more(where: 'before' | 'after'): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const list = this.#options.list();
      this.#ends = endsOf(list, grown(this.span, list.length, where));
    });
  }

  /** Everything, before something is looked for among the rows. */
  async all(): Promise<void> {
    this.#ends = { oldest: 0, newest: Infinity };
    await tick();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
