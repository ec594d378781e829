/** The accounts of the hub, for administrators. */

import { answer, type Api, type Schemas } from '../api/client';
import { PagedList } from '../admin/paged.svelte';

export type User = Schemas['User'];
export type Role = Schemas['Role'];

export class Users {
  readonly #api: Api;
  #text = '';
  readonly list: PagedList<User>;

  constructor(api: Api) {
    this.#api = api;
    this.list = new PagedList(async (page) => {
      const query = { ...page, ...(this.#text ? { q: this.#text } : {}) };
      const { users, total } = await answer(this.#api.GET('/api/admin/users', { params: { query } }));
      return { entries: users, total };
    });
  }

  /** Loads those whose name contains a text. */
  async search(text: string): Promise<void> {
    this.#text = text.trim();
    await this.list.load();
  }

  async create(body: Schemas['CreateUser']): Promise<Schemas['CreatedAccount']> {
    const made = await answer(this.#api.POST('/api/admin/users', { body }));
    await this.list.load();
    return made;
  }

  async update(name: string, body: Schemas['UpdateUser']): Promise<void> {
    await this.#api.PATCH('/api/admin/users/{name}', { params: { path: { name } }, body });
    await this.list.load();
  }

  /** Ends the old password and returns the link for another one. */
  async reset(name: string): Promise<string> {
    const params = { path: { name } };
    const { url } = await answer(this.#api.POST('/api/admin/users/{name}/password-reset', { params }));
    return url;
  }
}
