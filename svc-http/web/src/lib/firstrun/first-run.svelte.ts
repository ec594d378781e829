/** The way to the first agent: whether it still has to be gone, and how far it is. */

import { answer, type Agent, type Api } from '../api/client';

const STORAGE_KEY = 'svc.first-agent';
/** With more agents than that nobody is at the beginning. */
const LOOKED_AT = 10;

export type FirstRunStep = 'unknown' | 'create' | 'connect' | 'connected' | 'done';

type Shelf = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export class FirstRun {
  readonly #api: Api;
  readonly #storage: Shelf;
  #looked = false;

  step: FirstRunStep = $state('unknown');
  /** The agent that is being connected. */
  agent: string | undefined = $state();
  /** What it is for, as chosen when it was made. */
  archetype: string | undefined = $state();
  dismissed = $state(false);
  /** Whether there is something to show. */
  readonly isUnderWay: boolean = $derived(['create', 'connect', 'connected'].includes(this.step));

  constructor(api: Api, storage: Shelf) {
    this.#api = api;
    this.#storage = storage;
    try {
      this.dismissed = storage().getItem(STORAGE_KEY) === 'dismissed';
    } catch {
      // Without storage the card comes back with the next visit.
    }
  }

  /** Finds out where the person is, from their agents. What was begun here goes on. */
  async look(agents: readonly Pick<Agent, 'name' | 'created_at'>[]): Promise<void> {
    if (this.step === 'connected' || this.step === 'connect') return;
    if (agents.length === 0) {
      this.step = 'create';
      return;
    }
    if (this.#looked) return;
    this.#looked = true;
    if (agents.length > LOOKED_AT || (await this.#anySeen(agents))) {
      this.step = 'done';
      return;
    }
    this.agent = [...agents].sort((left, right) => right.created_at.localeCompare(left.created_at))[0]?.name;
    this.step = 'connect';
  }

  /** The first agent has been made. */
  made(agent: string, archetype: string): void {
    this.agent = agent;
    this.archetype = archetype;
    this.step = 'connect';
  }

  /** It has called. The card says so, and is gone with the next visit. */
  connected(): void {
    this.step = 'connected';
  }

  /** Puts the card away, here and on the next visits. */
  dismiss(): void {
    this.dismissed = true;
    try {
      this.#storage().setItem(STORAGE_KEY, 'dismissed');
    } catch {
      // It is away until the page is loaded anew.
    }
  }

  async #anySeen(agents: readonly Pick<Agent, 'name'>[]): Promise<boolean> {
    try {
      // The connection test knows more, but leaves a trace each time, so it comes second.
      const active = await Promise.all(agents.map(({ name }) => this.#wasActive(name)));
      if (active.includes(true)) return true;
      const seen = await Promise.all(agents.map(({ name }) => this.#wasSeen(name)));
      return seen.includes(true);
    } catch {
      // A card for beginners must not bother somebody who may have all agents connected.
      return true;
    }
  }

  async #wasActive(agent: string): Promise<boolean> {
    const query = { agent, limit: 1 };
    return (await answer(this.#api.GET('/api/traces', { params: { query } }))).traces.length > 0;
  }

  async #wasSeen(name: string): Promise<boolean> {
    const path = { name };
    const { at } = await answer(this.#api.POST('/api/agents/{name}/connection-test', { params: { path } }));
    return at !== undefined && at !== null;
  }
}
