/** Polls the connection test of an agent until it has connected. */

import { answer, type Api, type Schemas } from '../api/client';
import { reasonOf } from '../api/problem';

export type Connection = Schemas['Connection'];

const FIRST_WAIT_MILLISECONDS = 2_000;
/** The interval grows after a minute, and polling stops after ten. */
const LATER_WAIT_MILLISECONDS = 5_000;
const QUESTIONS_AT_FIRST = 30;
const MOST_QUESTIONS = QUESTIONS_AT_FIRST + 108;

type Page = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

export class ConnectionWatch {
  readonly #api: Api;
  readonly #agent: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #questions = 0;
  #page: Page | undefined;

  connection: Connection | undefined = $state.raw();
  /** Why the hub could not be asked; nothing when it could. */
  failure: string | undefined = $state();
  /** Polling has stopped; `again` resumes it. */
  isResting = $state(false);

  readonly state: 'asking' | 'waiting' | 'quiet' | 'connected' = $derived.by(() => {
    if (this.connection === undefined) return 'asking';
    if (this.connection.connected) return 'connected';
    return this.connection.at ? 'quiet' : 'waiting';
  });

  constructor(api: Api, agent: string) {
    this.#api = api;
    this.#agent = agent;
  }

  /** Asks until the agent has called, while the page is looked at; the result stops that. */
  watch(page: Page): () => void {
    this.#page = page;
    const look = () => {
      if (!page.hidden && !this.isResting && this.state !== 'connected') void this.#ask();
    };
    page.addEventListener('visibilitychange', look);
    void this.#ask();
    return () => {
      this.#page = undefined;
      clearTimeout(this.#timer);
      page.removeEventListener('visibilitychange', look);
    };
  }

  /** Starts over. */
  again(): void {
    this.connection = undefined;
    this.#questions = 0;
    this.isResting = false;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer);
    this.#questions += 1;
    try {
      const path = { name: this.#agent };
      this.connection = await answer(
        this.#api.POST('/api/agents/{name}/connection-test', { params: { path } }),
      );
      this.failure = undefined;
    } catch (error) {
      this.failure = reasonOf(error);
    }
    if (this.#page === undefined || this.#page.hidden || this.state === 'connected') return;
    if (this.#questions >= MOST_QUESTIONS) {
      this.isResting = true;
      return;
    }
    const wait = this.#questions < QUESTIONS_AT_FIRST ? FIRST_WAIT_MILLISECONDS : LATER_WAIT_MILLISECONDS;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), wait);
  }
}

const SURFACES: Readonly<Record<string, string>> = { mcp: 'MCP', rest: 'REST' };

/** `over MCP, as loom/3`, as far as it is known. */
export function howSeen({ surface, client }: Connection): string {
  const parts = [surface ? `over ${SURFACES[surface] ?? surface}` : '', client ? `as ${client}` : ''].filter(
    (part) => part !== '',
  );
  return parts.join(', ');
}
