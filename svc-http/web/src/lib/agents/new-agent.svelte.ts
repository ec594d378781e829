/** An agent about to be made. */

import { answer, newIdempotencyKey, type Api, type Schemas } from '../api/client';
import { Submission } from '../ui/submission.svelte';
import { isName, nameFrom } from './name-rules';

export class NewAgent {
  readonly #api: Api;
  readonly submission = new Submission(['name', 'display_name'], { handle_taken: 'name' });
  /** The same request sent again, after an answer that got lost, must not make a second agent. */
  #sent = { body: '', key: '' };
  #touched = $state(false);
  #name = $state('');

  displayName = $state('');
  archetype: string = $state('custom');

  constructor(api: Api) {
    this.#api = api;
  }

  /** What was typed; until then, what follows from the display name. */
  get name(): string {
    return this.#touched ? this.#name : nameFrom(this.displayName);
  }

  set name(name: string) {
    this.#touched = name !== '';
    this.#name = name;
    this.submission.clear();
  }

  get isComplete(): boolean {
    return isName(this.name);
  }

  /** Makes it; nothing comes back when the server refuses. */
  async create(): Promise<Schemas['CreatedAgent'] | undefined> {
    const title = this.displayName.trim();
    const body = { name: this.name, ...(title === '' ? {} : { display_name: title }) };
    const text = JSON.stringify(body);
    if (this.#sent.body !== text) this.#sent = { body: text, key: newIdempotencyKey() };
    const header = { 'Idempotency-Key': this.#sent.key };
    const made = await this.submission.run(() =>
      answer(this.#api.POST('/api/agents', { params: { header }, body })),
    );
    return made?.outcome;
  }
}
