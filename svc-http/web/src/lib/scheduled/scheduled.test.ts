import { beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import type { LiveName } from '../live/events';
import { message } from '../messages/sample';
import { Scheduled, type ScheduledMessage } from './scheduled.svelte';

const listeners = new Map<string, (event: never) => void>();
const live = {
  on: (name: LiveName, listener: (event: never) => void) => {
    listeners.set(name, listener);
    return () => listeners.delete(name);
  },
};

function entry(id: number, hour: number, more: Partial<ScheduledMessage> = {}): ScheduledMessage {
  return {
    id,
    from: 'ada',
    from_kind: 'human',
    channel: 'general',
    subject: '',
    body: `text ${id}`,
    priority: 5,
    metadata: {},
    send_at: `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000Z`,
    status: 'waiting',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

let stored: ScheduledMessage[];
let asked: string[];
let scheduled: Scheduled;

beforeEach(async () => {
  stored = [entry(1, 9), entry(2, 7), entry(3, 8, { status: 'failed', error_code: 'not_a_member' })];
  asked = [];
  const send = (async (request: Request) => {
    const url = new URL(request.url);
    asked.push(`${request.method} ${url.pathname}`);
    if (request.method === 'DELETE') return new Response(null, { status: 204 });
    if (request.method === 'PATCH') return Response.json(entry(3, 6));
    if (request.method === 'POST') return Response.json(message(50));
    const status = url.searchParams.get('status');
    return Response.json({ scheduled: stored.filter((one) => one.status === status), has_more: false });
  }) as typeof fetch;
  scheduled = new Scheduled(createApi({ fetch: send, origin: 'http://hub.test' }), live as never);
  const stop = scheduled.watch();
  await scheduled.load();
  return stop;
});

const ids = () => scheduled.all?.map(({ id }) => id);

test('what was refused comes first, the rest by its time', () => {
  expect(ids()).toEqual([3, 2, 1]);
});

test('one that waits again takes its place among the others', async () => {
  await scheduled.change(entry(3, 8), { send_at: '2026-01-01T06:00:00Z' });
  expect(ids()).toEqual([3, 2, 1]);
  expect(scheduled.all?.[0]?.status).toBe('waiting');
});

test('what is sent or deleted is gone', async () => {
  expect((await scheduled.send(entry(2, 7))).id).toBe(50);
  await scheduled.delete(entry(1, 9));
  expect(ids()).toEqual([3]);
  expect(asked.slice(-2)).toEqual([
    'POST /api/scheduled-messages/2/send',
    'DELETE /api/scheduled-messages/1',
  ]);
});

test('changes elsewhere are followed', async () => {
  stored = stored.slice(1);
  listeners.get('scheduled_message_changed')?.({ scheduled_id: 1, status: 'sent' } as never);
  await vi.waitFor(() => expect(ids()).toEqual([3, 2]));
});
