/**
 * What has been written in an article and not been saved, by person and article. It outlives the page and the browser,
 * goes with the logout, and never leaves this device.
 */

import { asNumber, asObject } from '../json/read';

export interface ArticleDraft {
  readonly title: string;
  readonly body: string;
  readonly summary: string;
  readonly slug: string;
  /** A day such as `2026-03-01`, or nothing. */
  readonly staleAfter: string;
  readonly isProtected: boolean;
  /** The revision that it is based on; 0 for a new article. */
  readonly base: number;
  /** When it was written, in milliseconds. */
  readonly at: number;
}

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export class ArticleDrafts {
  readonly #who: string;
  readonly #storage: () => DraftStorage;

  /** `storage` is a function because merely naming `localStorage` throws where it is forbidden. */
  constructor(who: string, storage: () => DraftStorage) {
    this.#who = who;
    this.#storage = storage;
  }

  /** The name under which drafts of messages are too, so that the logout finds all of them. */
  key(article: string): string {
    return `svc.draft.${this.#who}.wiki/${article}`;
  }

  read(article: string): ArticleDraft | undefined {
    try {
      return readArticleDraft(this.#storage().getItem(this.key(article)));
    } catch {
      return undefined;
    }
  }

  /** Whether it could be kept. */
  write(article: string, draft: ArticleDraft): boolean {
    try {
      this.#storage().setItem(this.key(article), JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  remove(article: string): void {
    try {
      this.#storage().removeItem(this.key(article));
    } catch {
      // Where nothing can be stored, nothing is there.
    }
  }
}

/** The draft in a stored text, as far as it is one. */
export function readArticleDraft(text: string | null): ArticleDraft | undefined {
  if (text === null) return undefined;
  try {
    const fields = asObject(JSON.parse(text));
    if (!fields || typeof fields['body'] !== 'string' || typeof fields['title'] !== 'string')
      return undefined;
    const words = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : '');
    return {
      title: words('title'),
      body: words('body'),
      summary: words('summary'),
      slug: words('slug'),
      staleAfter: words('staleAfter'),
      isProtected: fields['isProtected'] === true,
      base: asNumber(fields['base']) ?? 0,
      at: asNumber(fields['at']) ?? 0,
    };
  } catch {
    return undefined;
  }
}
