/** The messages that the person has saved for later. */

import { answer, type Api, type Schemas } from '../api/client';
import { LiveList } from '../api/live-list.svelte';

export type SavedMessage = Schemas['SavedMessage'];

/** The most characters of a note. */
export const NOTE_LENGTH = 200;

export class Saved {
  readonly #api: Api;
  readonly list: LiveList<SavedMessage, null>;

  constructor(api: Api) {
    this.#api = api;
    this.list = new LiveList(async (_, { limit, cursor }) => {
      const query = { limit, ...(cursor === undefined ? {} : { before: cursor }) };
      const page = await answer(api.GET('/api/saved', { params: { query } }));
      return { items: page.saved, next_cursor: page.has_more ? page.saved.at(-1)?.id : undefined };
    });
  }

  load(): Promise<void> {
    return this.list.load(null);
  }

  /** Replaces the note of a saved message; an empty one removes it. */
  async setNote({ id, message }: SavedMessage, note: string): Promise<void> {
    const changed = await saveMessage(this.#api, message.id, note);
    this.list.all = this.list.all?.map((one) => (one.id === id ? changed : one));
  }

  /** Takes a message out of the list. */
  async remove({ id, message }: SavedMessage): Promise<void> {
    await this.#api.DELETE('/api/messages/{id}/saved', { params: { path: { id: message.id } } });
    this.list.all = this.list.all?.filter((one) => one.id !== id);
  }

  /** Puts a message back that was taken out. It comes first, as one that was saved just now. */
  async restore({ message, note }: SavedMessage): Promise<void> {
    await saveMessage(this.#api, message.id, note ?? '');
    await this.load();
  }
}

/** Saves a message for later. Without a note, one that it has already stays. */
export function saveMessage(api: Api, id: number, note?: string): Promise<SavedMessage> {
  const body = note === undefined ? {} : { note };
  return answer(api.PUT('/api/messages/{id}/saved', { params: { path: { id } }, body }));
}
