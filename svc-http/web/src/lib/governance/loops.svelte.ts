/** Loops of all agents of a person: those that are held, and those that were lifted. */

import { answer, type Api } from '../api/client';
import { Resource } from '../api/resource.svelte';
import type { Live } from '../live/live.svelte';
import type { Loop } from './words';

export class Loops {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  /** Newest first. */
  readonly all: Resource<readonly Loop[]>;

  constructor(api: Api, live: Pick<Live, 'on'>) {
    this.#api = api;
    this.#live = live;
    this.all = new Resource(async (signal) => (await answer(api.GET('/api/loops', { signal }))).loops);
  }

  get held(): readonly Loop[] {
    return this.all.value?.filter(isHeld) ?? [];
  }

  get lifted(): readonly Loop[] {
    return this.all.value?.filter((loop) => !isHeld(loop)) ?? [];
  }

  /** Loads them, and keeps them current until the result is called. */
  watch(): () => void {
    void this.all.load();
    const off = [
      this.#live.on('loop_changed', () => this.all.loadSoon()),
      this.#live.on('reset', () => void this.all.load()),
    ];
    return () => {
      for (const stop of off) stop();
      this.all.stop();
    };
  }

  /** Lifts a loop: messages between its agents start runs again. */
  async lift(id: number): Promise<void> {
    await answer(this.#api.POST('/api/loops/{id}/lift', { params: { path: { id } } }));
    await this.all.load();
  }
}

function isHeld(loop: Loop): boolean {
  return loop.lifted_at == null;
}
