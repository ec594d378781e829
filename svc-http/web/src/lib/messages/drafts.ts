/**
 * What has been written and not been sent, by person and place. It outlives the page, the login and the
 * browser; it never leaves this device.
 */

import type { Schemas } from '../api/client';
import { asObject, asText } from '../json/read';

export type StoredFile = Schemas['Attachment'];

export interface Draft {
  readonly body: string;
  readonly subject: string;
  readonly priority: number;
  readonly files: readonly StoredFile[];
}

export const EMPTY_DRAFT: Draft = { body: '', subject: '', priority: 5, files: [] };

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key'> & { readonly length: number };

export class Drafts {
  readonly #storage: () => DraftStorage;
  readonly #who: string;

  /** `storage` is a function because merely naming `localStorage` throws where it is forbidden. */
  constructor(who: string, storage: () => DraftStorage) {
    this.#who = who;
    this.#storage = storage;
  }

  key(place: string): string {
    return `svc.draft.${this.#who}.${place}`;
  }

  read(place: string): Draft {
    try {
      return readDraft(this.#storage().getItem(this.key(place)));
    } catch {
      return EMPTY_DRAFT;
    }
  }

  /** How many places have something that was written and not sent. */
  count(): number {
    return this.#names().length;
  }

  /** Throws all of them away. */
  clear(): void {
    for (const name of this.#names()) this.#storage().removeItem(name);
  }

  #names(): string[] {
    try {
      const storage = this.#storage();
      const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
      // The place begins with its kind, so that nobody's handle is taken for the beginning of another one's.
      const own = [this.key('channel/'), this.key('dm/'), this.key('wiki/')];
      return names.filter((name) => own.some((start) => name.startsWith(start)));
    } catch {
      return [];
    }
  }

  write(place: string, draft: Draft): void {
    try {
      const isEmpty = draft.body === '' && draft.subject === '' && draft.files.length === 0;
      if (isEmpty) this.#storage().removeItem(this.key(place));
      else this.#storage().setItem(this.key(place), JSON.stringify(draft));
    } catch {
      // Without room or permission the draft lives as long as the page.
    }
  }
}

/** What was unsent, before what has been written since. Nothing of either is lost. */
export function together(unsent: Draft, written: Draft): Draft {
  const both = (key: 'body' | 'subject') => [unsent[key], written[key]].filter((text) => text.trim() !== '');
  return {
    body: both('body').join('\n\n'),
    subject: [...new Set(both('subject'))].join(' / '),
    priority: written.priority === EMPTY_DRAFT.priority ? unsent.priority : written.priority,
    files: [...unsent.files, ...written.files],
  };
}

/** The draft in a stored text, as far as it is one. */
export function readDraft(text: string | null): Draft {
  if (text === null) return EMPTY_DRAFT;
  try {
    const fields = asObject(JSON.parse(text));
    const { body, subject, priority, files } = fields ?? {};
    return {
      body: typeof body === 'string' ? body : '',
      subject: typeof subject === 'string' ? subject : '',
      priority: typeof priority === 'number' && priority >= 1 && priority <= 10 ? Math.round(priority) : 5,
      files: Array.isArray(files) ? files.filter(isFile) : [],
    };
  } catch {
    return EMPTY_DRAFT;
  }
}

function isFile(entry: unknown): entry is StoredFile {
  const fields = asObject(entry);
  return asText(fields?.['hash']) !== undefined && asText(fields?.['filename']) !== undefined;
}
