/** What the list of agents does not tell: when each was last active, and how far it is trusted. */

import { SvelteMap } from 'svelte/reactivity';
import { answer, type Api, type Schemas } from '../api/client';

export interface Sighting {
  /** When it last did something; nothing for one that never did. */
  readonly at: Date | undefined;
  readonly trust: readonly Schemas['TrustScore'][];
}

const AT_ONCE = 4;

export class Sightings {
  readonly #api: Api;
  readonly #loading = new Set<string>();
  readonly #known = new SvelteMap<string, Sighting>();

  constructor(api: Api) {
    this.#api = api;
  }

  of(agent: string): Sighting | undefined {
    return this.#known.get(agent);
  }

  /** Finds out about those that are not known yet, a few at a time. */
  async load(agents: readonly string[]): Promise<void> {
    const waiting = agents.filter((agent) => !this.#known.has(agent) && !this.#loading.has(agent));
    for (const agent of waiting) this.#loading.add(agent);
    const work = async () => {
      for (let agent = waiting.shift(); agent !== undefined; agent = waiting.shift()) await this.#load(agent);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** Asks about an agent again. */
  async reload(agent: string): Promise<void> {
    await this.#load(agent);
  }

  async #load(agent: string): Promise<void> {
    try {
      const [at, trust] = await Promise.all([this.#lastActive(agent), this.#trust(agent)]);
      this.#known.set(agent, { at, trust });
    } catch {
      // The row stays without; the next visit asks again.
    } finally {
      this.#loading.delete(agent);
    }
  }

  /** The connection test would know more, but leaves a trace each time: too much for a list. */
  async #lastActive(agent: string): Promise<Date | undefined> {
    const query = { agent, limit: 1 };
    const { traces } = await answer(this.#api.GET('/api/traces', { params: { query } }));
    return traces[0] && new Date(traces[0].created_at);
  }

  async #trust(agent: string): Promise<Schemas['TrustScore'][]> {
    return (await answer(this.#api.GET('/api/trust/{agent}', { params: { path: { agent } } }))).scores;
  }
}

/** The mean of what people have judged; nothing where nobody has. */
export function meanTrust(scores: readonly Schemas['TrustScore'][]): number | undefined {
  if (scores.length === 0) return undefined;
  return scores.reduce((sum, { score }) => sum + score, 0) / scores.length;
}

/** Colour by what it means: below 0.3 people mostly reject what the agent does. */
export function trustTone(score: number): 'good' | 'accent' | 'bad' {
  if (score < 0.3) return 'bad';
  return score >= 0.7 ? 'good' : 'accent';
}
