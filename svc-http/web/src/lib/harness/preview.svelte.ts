/** The prompt that a run of an agent would get now, with the request that is being typed. */

import { answer, type Api, type Schemas } from '../api/client';
import { Problem } from '../api/problem';
import { Resource } from '../api/resource.svelte';

export type RunPreview = Schemas['RunPreview'];

/** While somebody types, the server is asked after a pause of this many milliseconds. */
export const PAUSE = 300;

export class PromptPreview {
  readonly #answer: Resource<RunPreview>;
  #request: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting = $state(false);

  constructor(api: Api, agent: string) {
    this.#answer = new Resource((signal) => {
      const params = { path: { name: agent } };
      const body = this.#request ? { prompt: this.#request } : {};
      return answer(api.POST('/api/agents/{name}/run/preview', { params, body, signal }));
    });
  }

  /** What came last. It stays while another one is on its way. */
  get value(): RunPreview | undefined {
    return this.#answer.value;
  }

  /** Why there is none; nothing while another one is on its way. */
  get failure(): string | undefined {
    if (this.busy) return undefined;
    return this.hasNoHarness
      ? 'This agent has no harness yet. Save one to see the prompt.'
      : this.#answer.failure;
  }

  /** Whether the agent cannot be run yet, so that another try would fail too. */
  get hasNoHarness(): boolean {
    const { error } = this.#answer;
    return error instanceof Problem && error.code === 'harness_missing';
  }

  /** Whether what is shown is not for the current request. */
  get busy(): boolean {
    return this.#waiting || this.#answer.loading;
  }

  /** Shows the prompt with a request: the first one at once, others when nothing was typed for a while. */
  show(request: string): void {
    const trimmed = request.trim();
    if (trimmed === this.#request) return;
    const isFirst = this.#request === undefined;
    this.#request = trimmed;
    if (isFirst) return this.load();
    clearTimeout(this.#timer);
    this.#waiting = true;
    this.#timer = setTimeout(() => this.load(), PAUSE);
  }

  /** Asks at once. */
  load(): void {
    clearTimeout(this.#timer);
    this.#waiting = false;
    void this.#answer.load();
  }

  /** Gives up, and forgets what was shown. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting = false;
    this.#request = undefined;
    this.#answer.stop();
    this.#answer.value = undefined;
    this.#answer.error = undefined;
  }
}

/** How many messages a run would claim. */
export function messagesInWords(count: number): string {
  if (count === 0) return 'No messages wait';
  return count === 1 ? '1 message waits' : `${count} messages wait`;
}
