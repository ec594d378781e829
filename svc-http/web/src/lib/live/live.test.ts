import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EventReader } from './events';
import { Live } from './live.svelte';
import { fetchSource, type Listener } from './source';

/** Streams that the test opens, feeds and breaks. */
class StandInSource {
  readonly opened: (string | undefined)[] = [];
  listener: Listener | undefined;
  closed = 0;

  open = (after: string | undefined, listener: Listener) => {
    this.opened.push(after);
    this.listener = listener;
    return () => {
      this.closed += 1;
    };
  };

  greet(seq = 10) {
    this.listener?.opened();
    this.send('hello', { seq, server_time: new Date().toISOString() }, String(seq));
  }

  send(name: string, data: object, id?: string) {
    this.listener?.event({ id, name, data: JSON.stringify(data) });
  }
}

const MESSAGE = { message_id: 1, conversation_id: 1, channel: 'general' };
let source: StandInSource;
let live: Live;
let stop: () => void;
const refused = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  refused.mockClear();
  source = new StandInSource();
  live = new Live({ open: source.open, random: () => 1, refused });
  stop = live.start();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('it is live after the greeting, not before', () => {
  expect(live.state).toBe('connecting');
  source.greet();
  expect(live.state).toBe('live');
});

test('events reach those who listen to their name, until they stop', () => {
  const heard = vi.fn();
  const off = live.on('new_message', heard);
  source.greet();
  source.send('new_message', MESSAGE, '11');
  source.send('message_updated', MESSAGE, '12');
  off();
  source.send('new_message', MESSAGE, '13');
  expect(heard.mock.calls).toEqual([[MESSAGE]]);
});

test('nonsense is passed over', () => {
  const heard = vi.fn();
  live.on('new_message', heard);
  source.listener?.event({ id: '11', name: 'new_message', data: 'no JSON' });
  expect(heard).not.toHaveBeenCalled();
});

test('a broken stream resumes after the last event', async () => {
  source.greet(10);
  source.send('new_message', MESSAGE, '11');
  source.send('unread_update', { kind: 'channel', name: 'general', unread: 1, mentions: 0 });
  source.listener?.ended('ended');
  expect(live.state).toBe('reconnecting');
  await vi.advanceTimersByTimeAsync(500);
  expect(source.opened).toEqual([undefined, '11']);
  source.greet(12);
  expect(live.state).toBe('live');
});

test('a stream that brought nothing but the greeting resumes after that', async () => {
  source.send('hello', { seq: 10, server_time: 'x' });
  source.listener?.ended('ended');
  await vi.advanceTimersByTimeAsync(500);
  expect(source.opened).toEqual([undefined, '10']);
});

test('places without data move the resumption on', async () => {
  source.greet(10);
  source.listener?.event({ id: '17', name: '', data: '' });
  source.listener?.ended('ended');
  await vi.advanceTimersByTimeAsync(500);
  expect(source.opened[1]).toBe('17');
});

test('waits grow, up to half a minute, and it calls itself offline', async () => {
  for (const wait of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const before = source.opened.length;
    source.listener?.ended('refused');
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(source.opened.length).toBe(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(source.opened.length).toBe(before + 1);
  }
  expect(live.state).toBe('offline');
  source.greet();
  expect(live.state).toBe('live');
});

test('a retry does not wait', () => {
  source.listener?.ended('refused');
  live.retry();
  expect(source.opened).toHaveLength(2);
});

test('without a network it waits, and comes back with it', async () => {
  const browser = Object.assign(new EventTarget(), { navigator: { onLine: true } });
  const other = new StandInSource();
  const away = new Live({ open: other.open, browser: browser as never });
  const end = away.start();
  other.greet(10);
  browser.dispatchEvent(new Event('offline'));
  expect(away.state).toBe('offline');
  expect(other.closed).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(other.opened).toEqual([undefined]);
  browser.dispatchEvent(new Event('online'));
  expect(other.opened).toEqual([undefined, '10']);
  other.greet(10);
  expect(away.state).toBe('live');
  end();
});

test('until when the screen was current is known while it is not', () => {
  source.greet();
  expect(live.currentUntil).toBeUndefined();
  const lost = new Date();
  source.listener?.ended('ended');
  vi.setSystemTime(Date.now() + 60_000);
  source.listener?.ended('refused');
  expect(live.currentUntil).toEqual(lost);
  source.greet();
  expect(live.currentUntil).toBeUndefined();
});

test('an ended session is told', () => {
  source.listener?.ended('nobody');
  expect(refused).toHaveBeenCalledOnce();
});

test('after the end nothing is opened any more', async () => {
  stop();
  source.listener?.ended('ended');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(source.opened).toHaveLength(1);
  expect(source.closed).toBe(1);
});

test('after another login it goes on where it was', () => {
  source.greet(10);
  source.send('new_message', MESSAGE, '11');
  stop();
  stop = live.start();
  expect(source.opened).toEqual([undefined, '11']);
});

test('a wrong clock is noticed', () => {
  source.send('hello', { seq: 1, server_time: new Date(Date.now() + 60_000).toISOString() });
  expect(live.skew).toBe(60_000);
});

describe('reading the stream', () => {
  test('events cut anywhere are put together', () => {
    const text =
      'retry: 2000\nid: 4\nevent: hello\ndata: {"seq":4}\n\n:\nid: 5\n\nevent: x\r\ndata: a\r\ndata: b\r\n\r\n';
    for (let cut = 0; cut <= text.length; cut += 1) {
      const reader = new EventReader();
      expect([...reader.read(text.slice(0, cut)), ...reader.read(text.slice(cut))]).toEqual([
        { id: '4', name: 'hello', data: '{"seq":4}' },
        { id: '5', name: '', data: '' },
        { id: undefined, name: 'x', data: 'a\nb' },
      ]);
    }
  });

  test('silence ends the stream', async () => {
    const ended = vi.fn();
    const send = (async (_address: string, options: RequestInit) => {
      const body = new ReadableStream({
        start: (controller) =>
          options.signal?.addEventListener('abort', () => controller.error(new Error('aborted'))),
      });
      return new Response(body);
    }) as typeof fetch;
    fetchSource(send)('3', { opened: () => undefined, event: () => undefined, ended });
    await vi.advanceTimersByTimeAsync(39_000);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(ended).toHaveBeenCalledWith('silent');
  });

  test.each([
    [401, 'nobody'],
    [503, 'refused'],
  ])('status %d is %s', async (status, reason) => {
    const ended = vi.fn();
    const send = (async () => new Response(null, { status })) as typeof fetch;
    fetchSource(send)(undefined, { opened: () => undefined, event: () => undefined, ended });
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledWith(reason);
  });
});
