/** What can be done to a channel, with the store kept up to date. */

import { answer, type Channel, type Schemas } from '../api/client';
import type { App } from '../app/context';

type Hub = Pick<App, 'api' | 'store'>;

const path = (name: string) => ({ params: { path: { name } } });

export async function join({ api, store }: Hub, name: string): Promise<void> {
  store.putChannel(await answer(api.POST('/api/channels/{name}/join', path(name))));
}

export async function leave({ api, store }: Hub, name: string): Promise<void> {
  await api.POST('/api/channels/{name}/leave', path(name));
  await store.reloadChannel(name);
}

export async function archive({ api, store }: Hub, name: string): Promise<void> {
  await api.DELETE('/api/channels/{name}', path(name));
  await store.reloadChannel(name);
}

export async function change(
  { api, store }: Hub,
  name: string,
  body: Schemas['ChangeChannel'],
): Promise<void> {
  store.putChannel(await answer(api.PATCH('/api/channels/{name}', { ...path(name), body })));
}

export async function setWorkflow(
  { api, store }: Hub,
  name: string,
  body: Schemas['ChannelSettings'],
): Promise<void> {
  store.putChannel(await answer(api.PUT('/api/channels/{name}/settings', { ...path(name), body })));
}

export async function handOver({ api, store }: Hub, name: string, owner: string): Promise<void> {
  await api.PUT('/api/channels/{name}/owner', { ...path(name), body: { owner } });
  await store.reloadChannel(name);
}

export async function invite({ api }: Hub, name: string, members: string[]): Promise<void> {
  await api.POST('/api/channels/{name}/members', { ...path(name), body: { members } });
}

export async function removeMember({ api }: Hub, name: string, handle: string): Promise<void> {
  await api.DELETE('/api/channels/{name}/members/{handle}', { params: { path: { name, handle } } });
}

export async function create(
  { api, store }: Hub,
  body: Schemas['CreateChannel'],
  key: string,
): Promise<Channel> {
  const params = { header: { 'Idempotency-Key': key } };
  const channel = await answer(api.POST('/api/channels', { params, body }));
  store.putChannel(channel);
  return channel;
}

/** Whether somebody may change a channel: its owner, or the person whose agent owns it. */
export function mayChange({ store, account }: Pick<App, 'store' | 'account'>, channel: Channel): boolean {
  return channel.owner === account.handle || store.agent(channel.owner) !== undefined;
}
