import { beforeEach, expect, test, vi } from 'vitest';
import { createApi, type Message } from '../api/client';
import type { LiveName } from '../live/events';
import { message } from '../messages/sample';
import { Board } from './board.svelte';

const listeners = new Map<string, (event: never) => void>();
const live = {
  on: (name: LiveName, listener: (event: never) => void) => {
    listeners.set(name, listener);
    return () => listeners.delete(name);
  },
};

let stored: Message[];
let board: Board;
let asked = 0;

beforeEach(() => {
  asked = 0;
  stored = [message(1, { workflow_state: 'proposed' }), message(2, { workflow_state: 'done' })];
  const send = (async (request: Request) => {
    asked += 1;
    const state = new URL(request.url).searchParams.get('state');
    const messages = stored.filter(({ workflow_state }) => workflow_state === state);
    return Response.json({ messages, total: messages.length });
  }) as typeof fetch;
  board = new Board(createApi({ fetch: send, origin: 'http://hub.test' }), live as never, 'general');
  return board.start();
});

const ids = (state: string) =>
  board.columns?.find((column) => column.state === state)?.messages.map(({ id }) => id);
const loaded = () => vi.waitFor(() => expect(board.columns).toBeDefined());

test('messages stand in the columns of their states', async () => {
  await loaded();
  expect([ids('proposed'), ids('done'), ids('rejected')]).toEqual([[1], [2], []]);
});

test('a move shows at once', async () => {
  await loaded();
  board.put(message(1, { workflow_state: 'approved' }));
  expect([ids('proposed'), ids('approved')]).toEqual([[], [1]]);
  expect(board.columns?.map(({ total }) => total)).toEqual([0, 1, 0, 1, 0, 0]);
});

test('what others do shows, what happens elsewhere asks nothing', async () => {
  await loaded();
  const before = asked;
  listeners.get('reaction_changed')?.({ channel: 'ops' } as never);
  expect(asked).toBe(before);
  stored[0] = message(1, { workflow_state: 'rejected' });
  listeners.get('workflow_state_changed')?.({ channel: 'general' } as never);
  await vi.waitFor(() => expect(ids('rejected')).toEqual([1]));
});
