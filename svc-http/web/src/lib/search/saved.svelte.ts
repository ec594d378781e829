/** Searches that a person has kept, in this browser, by account. They hold no results. */

import { asText } from '../json/read';

/** The oldest goes when there is one more. */
export const MOST_SAVED = 20;
/** Longer ones are not kept: an address takes no more either. */
const LONGEST = 2_000;

type SavedStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export class SavedSearches {
  readonly #storage: () => SavedStorage;
  readonly #who: string;

  /** As they would be typed, the latest first. */
  all: readonly string[] = $state.raw([]);

  /** `storage` is a function because merely naming `localStorage` throws where it is forbidden. */
  constructor(who: string, storage: () => SavedStorage) {
    this.#who = who;
    this.#storage = storage;
    this.reload();
  }

  get key(): string {
    return `svc.searches.${this.#who}`;
  }

  has(typed: string): boolean {
    return this.all.includes(typed);
  }

  save(typed: string): void {
    if (typed === '' || typed.length > LONGEST) return;
    // Another tab may have saved others meanwhile.
    this.reload();
    this.#keep([typed, ...this.all.filter((other) => other !== typed)].slice(0, MOST_SAVED));
  }

  remove(typed: string): void {
    this.reload();
    this.#keep(this.all.filter((other) => other !== typed));
  }

  /** Takes over what another tab has stored. */
  reload(): void {
    try {
      this.all = readSaved(this.#storage().getItem(this.key));
    } catch {
      // Without storage they last as long as the page.
    }
  }

  #keep(all: readonly string[]): void {
    this.all = all;
    try {
      if (all.length === 0) this.#storage().removeItem(this.key);
      else this.#storage().setItem(this.key, JSON.stringify(all));
    } catch {
      // The same.
    }
  }
}

/** The searches in a stored text, as far as it holds any. */
export function readSaved(text: string | null): readonly string[] {
  if (text === null) return [];
  try {
    const entries: unknown = JSON.parse(text);
    if (!Array.isArray(entries)) return [];
    const texts = entries.flatMap((entry) => asText(entry) ?? []).filter((entry) => entry.length <= LONGEST);
    return [...new Set(texts)].slice(0, MOST_SAVED);
  } catch {
    return [];
  }
}
