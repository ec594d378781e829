/** The agents that the hub runs: what they do, and when they can run next. */

import { answer, newIdempotencyKey, type Api } from '../api/client';
import { Resource } from '../api/resource.svelte';
import type { Live } from '../live/live.svelte';
import type { ReactiveAgent } from './words';

export class Reactive {
  readonly #live: Pick<Live, 'on'>;
  readonly agents: Resource<readonly ReactiveAgent[]>;

  constructor(api: Api, live: Pick<Live, 'on'>) {
    this.#live = live;
    this.agents = new Resource(
      async (signal) => (await answer(api.GET('/api/agents/reactive', { signal }))).agents,
    );
  }

  of(name: string): ReactiveAgent | undefined {
    return this.agents.value?.find(({ agent }) => agent.name === name);
  }

  /** Loads them, and keeps them current until the result is called. */
  watch(): () => void {
    void this.agents.load();
    const off = [
      this.#live.on('run_changed', () => this.agents.loadSoon()),
      this.#live.on('agent_changed', () => this.agents.loadSoon()),
      this.#live.on('reset', () => void this.agents.load()),
    ];
    return () => {
      for (const stop of off) stop();
      this.agents.stop();
    };
  }
}

/** Starts runs on request. */
export class RunStarter {
  readonly #api: Api;
  readonly #agent: string;
  #sent = { prompt: '', key: newIdempotencyKey() };

  constructor(api: Api, agent: string) {
    this.#api = api;
    this.#agent = agent;
  }

  /** Runs the agent now, and returns the id of the run. */
  async start(prompt: string): Promise<number> {
    // The same request sent again, after an answer that got lost, must not start two runs.
    if (this.#sent.prompt !== prompt) this.#sent = { prompt, key: newIdempotencyKey() };
    const params = { path: { name: this.#agent }, header: { 'Idempotency-Key': this.#sent.key } };
    const body = prompt.trim() === '' ? {} : { prompt };
    const run = await answer(this.#api.POST('/api/agents/{name}/run', { params, body }));
    this.#sent = { prompt: '', key: newIdempotencyKey() };
    return run.id;
  }
}
