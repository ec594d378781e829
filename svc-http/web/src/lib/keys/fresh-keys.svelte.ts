/**
 * Keys that were made in this tab, so that leaving a page too early does not lose one. They are held in
 * memory only: nothing is written anywhere, and loading the document anew forgets them.
 */

import { SvelteMap } from 'svelte/reactivity';

export class FreshKeys {
  readonly #keys = new SvelteMap<string, string>();

  /** The key that was made for an agent, until it is put away. */
  of(agent: string): string | undefined {
    return this.#keys.get(agent);
  }

  keep(agent: string, key: string): void {
    this.#keys.set(agent, key);
  }

  forget(agent: string): void {
    this.#keys.delete(agent);
  }
}

export const freshKeys = new FreshKeys();
