/** What a person has opened of late in this browser, by account: addresses and names of actions, the latest first. */

import { readSaved } from '../search/saved.svelte';

const MOST = 8;
const PREFIX = 'svc.recent.';

type RecentStorage = Pick<Storage, 'getItem' | 'setItem'>;

export class Recent {
  readonly #storage: () => RecentStorage;
  readonly #key: string;

  all: readonly string[] = $state.raw([]);

  /** `storage` is a function because merely naming `localStorage` throws where it is forbidden. */
  constructor(who: string, storage: () => RecentStorage) {
    this.#key = PREFIX + who;
    this.#storage = storage;
    this.#read();
  }

  add(id: string): void {
    // Another tab may have opened others meanwhile.
    this.#read();
    if (this.all[0] === id) return;
    this.all = [id, ...this.all.filter((other) => other !== id)].slice(0, MOST);
    try {
      this.#storage().setItem(this.#key, JSON.stringify(this.all));
    } catch {
      // Without storage it lasts as long as the page.
    }
  }

  #read(): void {
    try {
      const stored = this.#storage().getItem(this.#key);
      if (stored !== null) this.all = readSaved(stored).slice(0, MOST);
    } catch {
      // The same.
    }
  }
}

/** Forgets what was opened, of all accounts: names of conversations do not outlive a login. */
export function forgetRecent(
  storage: Pick<Storage, 'key' | 'removeItem'> & { readonly length: number },
): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  for (const key of keys) if (key.startsWith(PREFIX)) storage.removeItem(key);
}
