/** Invitations, for administrators. */

import { answer, type Api, type Schemas } from '../api/client';
import { PagedList } from '../admin/paged.svelte';

export type Invite = Schemas['AccountInvite'];

export const LIFETIMES = [
  { value: '86400', title: '1 day' },
  { value: '604800', title: '7 days' },
  { value: '2592000', title: '30 days' },
] as const;

export class Invites {
  readonly #api: Api;
  readonly list: PagedList<Invite>;

  constructor(api: Api) {
    this.#api = api;
    this.list = new PagedList(async (query) => {
      const { invites, total } = await answer(this.#api.GET('/api/admin/invites', { params: { query } }));
      return { entries: invites, total };
    });
  }

  /** Makes one and returns its link, which is available only here. */
  async create(body: Schemas['CreateInvite']): Promise<string> {
    const { url } = await answer(this.#api.POST('/api/admin/invites', { body }));
    await this.list.load();
    return url;
  }

  async revoke(id: number): Promise<void> {
    await this.#api.DELETE('/api/admin/invites/{id}', { params: { path: { id } } });
    await this.list.load();
  }
}
