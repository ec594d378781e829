import type { Snippet } from 'svelte';

/** What the page puts into the top bar. */
export class Bar {
  /** No state: when an effect is taken down, state reads as it was before. */
  #latest: symbol | undefined;
  content: Snippet | undefined = $state.raw();

  /** Shows something until the result is called, or until somebody else shows something. */
  show(content: Snippet): () => void {
    const turn = Symbol();
    this.#latest = turn;
    this.content = content;
    return () => {
      // The next page comes before the one that it replaces goes.
      if (this.#latest === turn) this.content = undefined;
    };
  }
}
