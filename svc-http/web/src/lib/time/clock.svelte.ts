/** The current time as state, for everything on screen that says "ago". */

import { createSubscriber } from 'svelte/reactivity';

const TICK_MILLISECONDS = 1_000;

class Clock {
  /** One timer for all readers, running only while something on screen reads the time. */
  readonly #subscribe = createSubscriber((update) => {
    const timer = setInterval(update, TICK_MILLISECONDS);
    return () => clearInterval(timer);
  });

  get now(): Date {
    this.#subscribe();
    return new Date();
  }
}

export const clock = new Clock();
