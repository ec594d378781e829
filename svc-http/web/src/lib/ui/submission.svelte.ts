/** A form on its way to the server: busy, refused for a field, refused as a whole. */

import { isAborted, Problem, reasonOf } from '../api/problem';

export class Submission {
  readonly #fields: readonly string[];
  readonly #codes: Readonly<Record<string, string>>;
  #thrown: unknown = $state.raw();
  busy = $state(false);

  /**
   * `fields` are those beside which the form shows what is wrong with them, also all that begin with one that ends in
   * a dot; `codes` tells to which of them a refusal belongs that names no field.
   */
  constructor(fields: readonly string[] = [], codes: Readonly<Record<string, string>> = {}) {
    this.#fields = fields;
    this.#codes = codes;
  }

  /** What the server says about one field. */
  field(name: string): string | undefined {
    if (!(this.#thrown instanceof Problem)) return undefined;
    if (this.#codes[this.#thrown.code] === name) return sentence(this.#thrown.detail);
    const message = this.#thrown.field(name);
    return message === undefined ? undefined : sentence(message);
  }

  /** What is wrong and belongs to no field on screen. */
  get failure(): string | undefined {
    if (this.#thrown === undefined) return undefined;
    const { fields, code } = this.#thrown instanceof Problem ? this.#thrown : { fields: [], code: '' };
    if (this.#codes[code] !== undefined) return undefined;
    const isShown = (field: string) =>
      this.#fields.some((known) => (known.endsWith('.') ? field.startsWith(known) : field === known));
    const allShown = fields.length > 0 && fields.every(({ field }) => isShown(field));
    return allShown ? undefined : reasonOf(this.#thrown);
  }

  /** Does it, once at a time; nothing comes back when it did not work. */
  async run<Outcome>(work: () => Promise<Outcome>): Promise<{ outcome: Outcome } | undefined> {
    if (this.busy) return undefined;
    this.busy = true;
    this.#thrown = undefined;
    try {
      return { outcome: await work() };
    } catch (error) {
      if (!isAborted(error)) this.#thrown = error;
      return undefined;
    } finally {
      this.busy = false;
    }
  }

  /** Forgets what was wrong. */
  clear(): void {
    this.#thrown = undefined;
  }
}

/** The server's remarks go on after the name of a field; beside the field they stand alone. */
function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
