/** The colour theme: what the person chose, and how the page is told. */

export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

/** public/theme.js reads the same key before the first paint. */
const STORAGE_KEY = 'svc.theme';

export class Theme {
  readonly #storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly #root: { readonly dataset: DOMStringMap };
  #choice: ThemeChoice = $state('system');

  /** `storage` is a function because merely naming `localStorage` throws where it is forbidden. */
  constructor(
    root: { readonly dataset: DOMStringMap },
    storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  ) {
    this.#root = root;
    this.#storage = storage;
    this.reload();
  }

  get choice(): ThemeChoice {
    return this.#choice;
  }

  choose(choice: ThemeChoice): void {
    this.#show(choice);
    try {
      if (choice === 'system') this.#storage().removeItem(STORAGE_KEY);
      else this.#storage().setItem(STORAGE_KEY, choice);
    } catch {
      // Without storage the choice holds until the page is closed.
    }
  }

  /** Takes over what another tab has stored. */
  reload(): void {
    let stored: string | null = null;
    try {
      stored = this.#storage().getItem(STORAGE_KEY);
    } catch {
      // The same as nothing stored.
    }
    this.#show(THEME_CHOICES.find((choice) => choice === stored) ?? 'system');
  }

  #show(choice: ThemeChoice): void {
    this.#choice = choice;
    if (choice === 'system') delete this.#root.dataset['theme'];
    else this.#root.dataset['theme'] = choice;
  }
}
