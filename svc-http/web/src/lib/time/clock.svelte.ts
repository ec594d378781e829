/** The current time of the hub as state, for everything on screen that says "ago". */

import { untrack } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';

const TICK_MILLISECONDS = 1_000;

export class Clock {
  /** One timer for all readers, running only while something on screen reads the time. */
  readonly #subscribe = createSubscriber((update) => {
    const timer = setInterval(update, TICK_MILLISECONDS);
    return () => clearInterval(timer);
  });

  /** The hub's time minus that of this machine, in milliseconds; its clock may be wrong. */
  skew = $state(0);

  get now(): Date {
    this.#subscribe();
    return new Date(Date.now() + this.skew);
  }

  /** The time once, for what is done at this moment. */
  read(): number {
    return Date.now() + untrack(() => this.skew);
  }
}

export const clock = new Clock();
