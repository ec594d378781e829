/** Where a message can be read. */

import type { Message } from '../api/client';

type Placed = Pick<Message, 'id' | 'channel' | 'from' | 'to'>;

/** Its channel, or the direct messages of the person or of one of their agents. */
export function messageAddress(
  message: Placed,
  me: string | undefined,
  isMine: (handle: string) => boolean,
): string {
  if (message.channel) return `/c/${encodeURIComponent(message.channel)}?m=${message.id}`;
  const to = message.to ?? message.from;
  if (message.from === me || to === me) {
    return `/dm/${encodeURIComponent(message.from === me ? to : message.from)}?m=${message.id}`;
  }
  const [agent, other] = isMine(to) ? [to, message.from] : [message.from, to];
  return `/agents/${encodeURIComponent(agent)}/with/${encodeURIComponent(other)}?m=${message.id}`;
}

/** Whether two messages are read at the same place: in one channel, or between the same two. */
export function isSamePlace(one: Placed, other: Placed): boolean {
  if (one.channel || other.channel) return one.channel === other.channel;
  const pair = ({ from, to }: Placed) => [from, to ?? ''].sort().join(' ');
  return pair(one) === pair(other);
}
