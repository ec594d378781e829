/** The chunk that draws Markdown: loaded once, with the first text. */

import { nextTask } from '../app/next-task';
import type { Known } from './markdown';

type Render = typeof import('./render').render;
type RenderArticle = typeof import('./render').renderArticle;
type WithTask = typeof import('./render').withTask;

const NOBODY: Known = { handle: () => false, channel: () => false };

class Renderer {
  #loading: Promise<void> | undefined;
  #hasFailed = $state(false);

  /** Nothing until it has been loaded. */
  render: Render | undefined = $state.raw();
  renderArticle: RenderArticle | undefined = $state.raw();
  withTask: WithTask | undefined = $state.raw();
  /** Whether texts look now as they will; without the chunk they are readable as they were written. */
  readonly isSettled: boolean = $derived(this.render !== undefined || this.#hasFailed);

  /** Loads it, unless that has been done. */
  load(): void {
    this.#loading ??= import('./render').then(
      async (module) => {
        // Setting it up took its time, and so does the first text, whatever it is.
        await nextTask();
        module.render('*', NOBODY);
        await nextTask();
        this.render = module.render;
        this.renderArticle = module.renderArticle;
        this.withTask = module.withTask;
      },
      () => {
        // The next text tries again.
        this.#loading = undefined;
        this.#hasFailed = true;
      },
    );
  }
}

export const renderer = new Renderer();
