/** The part of a timeline's rows that is drawn, as `portions.ts` says. */

import { flushSync, tick } from 'svelte';
import { nextTask } from '../app/next-task';
import { endsOf, firstSpan, grown, nextPortion, spanOf, type Ends, type Side, type Span } from './portions';

interface Options {
  /** All rows, oldest first, by the ids of their messages. */
  list: () => readonly { readonly id: number }[];
  /** The position at which the view begins, when that is not the end. */
  beginsAt: () => number | undefined;
  /** The time in milliseconds. */
  now?: () => number;
}

export class Drawn {
  readonly #options: Options;
  /** Nothing before the first rows have been put in place. */
  #ends: Ends | undefined = $state.raw();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasStopped = false;
  /** How many rows are drawn in one go on this device. */
  #portion = 1;

  readonly span: Span = $derived.by(() => {
    const { list, beginsAt } = this.#options;
    return this.#ends ? spanOf(list(), this.#ends) : firstSpan(list().length, beginsAt());
  });
  readonly isFromBeginning: boolean = $derived.by(() => this.span.from === 0);
  readonly isToEnd: boolean = $derived.by(() => this.span.to === this.#options.list().length);

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether it has been decided what is drawn, rather than just the row with which the view begins. */
  get isSettled(): boolean {
    return this.#ends !== undefined;
  }

  /** From now on what is drawn stays, whatever comes. */
  settle(): void {
    this.#ends ??= endsOf(this.#options.list(), this.span);
  }

  /** Draws, task by task, until nothing is missing; says whether it came so far. */
  async fill(missing: () => Side | undefined): Promise<boolean> {
    await nextTask();
    while (!this.#hasStopped) {
      const where = missing();
      if (where === undefined) return true;
      this.#grow(where);
      await nextTask();
    }
    return false;
  }

  /** More rows, in a task of their own, so that the page can be used in between. */
  more(where: Side): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#grow(where);
    });
  }

  /** Everything, before something is looked for among the rows. */
  async all(): Promise<void> {
    this.#ends = { oldest: 0, newest: Infinity };
    await tick();
  }

  stop(): void {
    this.#hasStopped = true;
    clearTimeout(this.#timer);
  }

  #grow(where: Side): void {
    const { list, now = () => performance.now() } = this.#options;
    const began = now();
    this.#ends = endsOf(list(), grown(this.span, list().length, where, this.#portion));
    flushSync();
    this.#portion = nextPortion(this.#portion, now() - began);
  }
}
