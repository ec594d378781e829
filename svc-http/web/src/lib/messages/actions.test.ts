import { beforeEach, expect, test, vi } from 'vitest';
import { createApi, type Message } from '../api/client';
import { toggleReaction } from './actions';
import { message } from './sample';

/** A server on which a reaction that stands is taken back by the same one. */
let stands: boolean;
let requests: string[];
const failed = vi.fn();

const mine = { reaction: 'approve', by: 'ada', by_kind: 'human', created_at: '' };
const send = (async (request: Request) => {
  requests.push(request.method);
  stands = request.method === 'POST' ? !stands : false;
  return Response.json({ action: stands ? 'added' : 'removed', reactions: stands ? [mine] : [] });
}) as typeof fetch;
const app = {
  api: createApi({ fetch: send, origin: 'http://hub.test' }),
  toasts: { failed },
  account: { handle: 'ada' },
} as never;
const shown = (reactions: object[]) => message(1, { reactions } as Partial<Message>);

beforeEach(() => {
  stands = false;
  requests = [];
});

test('a reaction is set, and the one on screen is taken back', async () => {
  expect((await toggleReaction(app, shown([]), 'approve'))?.reactions).toHaveLength(1);
  expect((await toggleReaction(app, shown([mine]), 'approve'))?.reactions).toHaveLength(0);
  expect(requests).toEqual(['POST', 'DELETE']);
});

test('one that stands without being on screen, as after a lost answer, stands afterwards', async () => {
  stands = true;
  expect((await toggleReaction(app, shown([]), 'approve'))?.reactions).toHaveLength(1);
  expect(stands).toBe(true);
});

test('one that somebody has taken back elsewhere is not set by taking it back', async () => {
  await toggleReaction(app, shown([mine]), 'approve');
  expect(stands).toBe(false);
});
