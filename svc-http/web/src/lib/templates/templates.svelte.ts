/** The message templates of the person. */

import { answer, newIdempotencyKey, type Api, type Schemas } from '../api/client';
import { Reloading } from '../api/reloading.svelte';

export type Template = Schemas['MessageTemplate'];
export type TemplateText = Schemas['NewMessageTemplate'];

/** The most characters of a name. */
export const NAME_LENGTH = 60;

export class Templates {
  readonly #api: Api;
  readonly #reloading = new Reloading(() => this.#fetch());

  /** By name; nothing until they are loaded. */
  all: readonly Template[] | undefined = $state.raw();

  constructor(api: Api) {
    this.#api = api;
  }

  get failure(): string | undefined {
    return this.#reloading.failure;
  }

  load(): Promise<void> {
    return this.#reloading.load();
  }

  async create(body: TemplateText): Promise<Template> {
    const params = { header: { 'Idempotency-Key': newIdempotencyKey() } };
    const made = await answer(this.#api.POST('/api/message-templates', { params, body }));
    this.all = byName([...(this.all ?? []), made]);
    return made;
  }

  async update({ id }: Template, body: TemplateText): Promise<void> {
    const params = { path: { id } };
    const changed = await answer(this.#api.PATCH('/api/message-templates/{id}', { params, body }));
    this.all = byName((this.all ?? []).map((one) => (one.id === id ? changed : one)));
  }

  async delete({ id }: Template): Promise<void> {
    await this.#api.DELETE('/api/message-templates/{id}', { params: { path: { id } } });
    this.all = this.all?.filter((one) => one.id !== id);
  }

  async #fetch(): Promise<void> {
    this.all = (await answer(this.#api.GET('/api/message-templates'))).templates;
  }
}

function byName(all: readonly Template[]): Template[] {
  const key = ({ name }: Template) => name.toLowerCase();
  return [...all].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** Those with the words in their name first, then those with the words in their text. */
export function matching(all: readonly Template[], query: string): readonly Template[] {
  const wanted = query.trim().toLowerCase();
  const inName = all.filter(({ name }) => name.toLowerCase().includes(wanted));
  const inText = all.filter((one) => !inName.includes(one) && one.body.toLowerCase().includes(wanted));
  return [...inName, ...inText];
}
