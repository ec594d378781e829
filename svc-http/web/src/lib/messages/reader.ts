import { answer } from '../api/client';
import type { App } from '../app/context';
import type { Place } from './source';

/** Whether what I have not read there is unread: in a channel only for its members. */
export async function isReader({ api, store }: Pick<App, 'api' | 'store'>, place: Place): Promise<boolean> {
  if (place.kind === 'dm') return true;
  const known = store.channel(place.name);
  if (known) return known.is_member;
  try {
    const params = { path: { name: place.name } };
    return (await answer(api.GET('/api/channels/{name}', { params }))).is_member;
  } catch {
    // What was read is shown as new rather than that something new is taken for read.
    return true;
  }
}
