/** What is unread, by conversation: what is meant for the person first. */

import type { Api, Channel, Partner, Schemas } from '../api/client';
import { shownName } from '../people/names';

export interface UnreadPlace {
  readonly kind: 'channel' | 'dm';
  readonly name: string;
  /** Somebody's name for people, or the name of a channel. */
  readonly title: string;
  readonly href: string;
  readonly unread: number;
  /** How much of it is meant for the person. */
  readonly forMe: number;
  readonly lastMessageId: number | undefined;
}

/** How many can be marked at once. */
const BATCH = 100;

/** Muted conversations are left out. A channel that the person is no member of has mentions only. */
export function unreadPlaces(
  channels: readonly Channel[],
  partners: readonly Partner[],
  isMuted: (kind: UnreadPlace['kind'], name: string) => boolean = () => false,
): UnreadPlace[] {
  const places: UnreadPlace[] = [
    ...partners.map((partner) => ({
      kind: 'dm' as const,
      name: partner.name,
      title: shownName(partner.display_name, partner.name),
      href: `/dm/${encodeURIComponent(partner.name)}`,
      unread: partner.unread,
      forMe: partner.unread,
      lastMessageId: partner.last_message_id,
    })),
    ...channels.map((channel) => ({
      kind: 'channel' as const,
      name: channel.name,
      title: `#${channel.name}`,
      href: `/c/${encodeURIComponent(channel.name)}`,
      unread: channel.unread,
      forMe: channel.mentions,
      lastMessageId: channel.last_message_id ?? undefined,
    })),
  ];
  return places
    .filter(({ kind, name, unread, forMe }) => unread + forMe > 0 && !isMuted(kind, name))
    .sort((left, right) => Number(right.forMe > 0) - Number(left.forMe > 0));
}

/** Marks what the person was shown; what has come since stays unread. */
export async function markAllRead(api: Api, places: readonly UnreadPlace[]): Promise<void> {
  const marks: Schemas['Mark'][] = places.map(({ kind, name, lastMessageId }) => ({
    kind,
    name,
    ...(lastMessageId === undefined ? {} : { last_message_id: lastMessageId }),
  }));
  for (let start = 0; start < marks.length; start += BATCH) {
    await api.POST('/api/notifications/mark-read', { body: marks.slice(start, start + BATCH) });
  }
}
