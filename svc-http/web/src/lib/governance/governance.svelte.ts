/** What keeps an agent within bounds: its budget, its reputation, and the loops that it is in. */

import { answer, type Api, type Schemas } from '../api/client';
import { Resource } from '../api/resource.svelte';
import type { Live } from '../live/live.svelte';
import type { BudgetUse, Loop, Reputation } from './words';

export class Governance {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  readonly #agent: string;
  readonly budget: Resource<BudgetUse>;
  readonly reputation: Resource<Reputation>;
  /** Loops of this agent that are held. */
  readonly loops: Resource<readonly Loop[]>;
  /** Older entries of the reputation, after those that it has. */
  older: readonly Schemas['ReputationEntry'][] = $state.raw([]);
  #cursor: number | null | undefined = $state();

  constructor(api: Api, live: Pick<Live, 'on'>, agent: string) {
    this.#api = api;
    this.#live = live;
    this.#agent = agent;
    const path = { name: agent };
    this.budget = new Resource((signal) =>
      answer(api.GET('/api/agents/{name}/budget', { params: { path }, signal })),
    );
    this.reputation = new Resource(async (signal) => {
      const query = { limit: 10 };
      const found = await answer(
        api.GET('/api/agents/{name}/reputation', { params: { path, query }, signal }),
      );
      this.older = [];
      this.#cursor = found.next_cursor;
      return found;
    });
    this.loops = new Resource(async (signal) => {
      const query = { held: true };
      const { loops } = await answer(api.GET('/api/loops', { params: { query }, signal }));
      return loops.filter((loop) => loop.agent === agent || loop.other === agent);
    });
  }

  get hasOlder(): boolean {
    return this.#cursor != null;
  }

  /** Loads everything, and keeps it current until the result is called. */
  watch(): () => void {
    const all = [this.budget, this.reputation, this.loops];
    const load = () => {
      for (const resource of all) void resource.load();
    };
    load();
    const off = [
      this.#live.on('agent_changed', ({ agent }) => {
        if (agent !== this.#agent) return;
        this.budget.loadSoon();
        this.reputation.loadSoon();
      }),
      this.#live.on('run_changed', ({ agent }) => {
        if (agent !== this.#agent) return;
        this.budget.loadSoon();
        this.reputation.loadSoon();
      }),
      this.#live.on('loop_changed', () => this.loops.loadSoon()),
      this.#live.on('reset', load),
    ];
    return () => {
      for (const stop of off) stop();
      for (const resource of all) resource.stop();
    };
  }

  /** Adds older entries of the reputation. */
  async moreEntries(): Promise<void> {
    if (this.#cursor == null) return;
    const params = { path: { name: this.#agent }, query: { limit: 50, cursor: this.#cursor } };
    const page = await answer(this.#api.GET('/api/agents/{name}/reputation', { params }));
    this.older = [...this.older, ...page.entries];
    this.#cursor = page.next_cursor;
  }

  /** Lifts a loop: messages between its agents start runs again. */
  async lift(id: number): Promise<void> {
    await answer(this.#api.POST('/api/loops/{id}/lift', { params: { path: { id } } }));
    this.loops.value = this.loops.value?.filter((loop) => loop.id !== id);
    await this.loops.load();
  }
}
