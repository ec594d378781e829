/**
 * The event stream over `fetch`. A browser's own `EventSource` would hide the status of a refusal and
 * the heartbeats, without which a connection that died silently cannot be told from a quiet one.
 */

import { EventReader, type RawEvent } from './events';

export type EndReason = 'ended' | 'refused' | 'nobody' | 'silent';

export interface Listener {
  opened(): void;
  event(event: RawEvent): void;
  ended(reason: EndReason): void;
}

/** Opens a stream after an event, or from now on; the result closes it without a word. */
export type OpenSource = (after: string | undefined, listener: Listener) => () => void;

/** The server sends something at least every 15 seconds. */
const SILENCE_MILLISECONDS = 40_000;

export function fetchSource(send: typeof fetch): OpenSource {
  return (after, listener) => {
    const closing = new AbortController();
    void follow(send, after, listener, closing);
    return () => closing.abort('closed');
  };
}

async function follow(
  send: typeof fetch,
  after: string | undefined,
  listener: Listener,
  closing: AbortController,
): Promise<void> {
  let reason: EndReason = 'ended';
  let alarm: ReturnType<typeof setTimeout> | undefined;
  const stillAlive = () => {
    clearTimeout(alarm);
    alarm = setTimeout(() => closing.abort('silent'), SILENCE_MILLISECONDS);
  };
  try {
    stillAlive();
    const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
    const response = await send(`/api/events${query}`, {
      headers: { accept: 'text/event-stream' },
      cache: 'no-store',
      signal: closing.signal,
    });
    if (!response.ok || !response.body) {
      reason = response.status === 401 ? 'nobody' : 'refused';
      return;
    }
    listener.opened();
    const reader = new EventReader();
    const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await pieces.read();
      if (done) return;
      stillAlive();
      for (const event of reader.read(value)) listener.event(event);
    }
  } catch {
    if (closing.signal.reason === 'silent') reason = 'silent';
  } finally {
    clearTimeout(alarm);
    if (closing.signal.reason !== 'closed') listener.ended(reason);
  }
}
