/** The list of emoji, which is loaded when somebody first needs it, and the ones that were chosen last. */

import { readList, type Category } from './list';

const KEY = 'svc-emoji';
export const MOST_RECENT = 18;

class EmojiList {
  #loading: Promise<void> | undefined;
  /** Nothing until the list has been loaded. */
  categories: readonly Category[] | undefined = $state.raw();
  hasFailed = $state(false);

  /** Loads the list once. */
  load(): Promise<void> {
    this.#loading ??= this.#fetch();
    return this.#loading;
  }

  async #fetch(): Promise<void> {
    try {
      const { default: text } = await import('../../../../../svc-model/src/emoji/emoji.txt?raw');
      this.categories = readList(text);
      this.hasFailed = false;
    } catch {
      this.#loading = undefined;
      this.hasFailed = true;
    }
  }
}

/** One for the whole program. */
export const emojiList = new EmojiList();

/** The emoji that were chosen last in this browser, the latest first. `storage` throws where it is forbidden. */
export function recentEmoji(storage: () => Pick<Storage, 'getItem'> = () => localStorage): string[] {
  try {
    const kept: unknown = JSON.parse(storage().getItem(KEY) ?? '[]');
    return Array.isArray(kept)
      ? kept.filter((one) => typeof one === 'string' && one.length <= 48).slice(0, MOST_RECENT)
      : [];
  } catch {
    return [];
  }
}

export function keepRecent(
  text: string,
  storage: () => Pick<Storage, 'getItem' | 'setItem'> = () => localStorage,
): void {
  const all = [text, ...recentEmoji(storage).filter((one) => one !== text)].slice(0, MOST_RECENT);
  try {
    storage().setItem(KEY, JSON.stringify(all));
  } catch {
    // Without room or permission none are remembered.
  }
}
