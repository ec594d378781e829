import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { renderer } from '../markdown/renderer.svelte';
import { tickTask } from './actions';
import { message } from './sample';

const failed = vi.fn();
let bodies: unknown[];
let status: number;
const send = (async (request: Request) => {
  bodies.push(await request.json());
  return status === 200
    ? Response.json(message(1, { body: '- [x] a', version: 3 }))
    : Response.json({ status, detail: 'Too late.' }, { status });
}) as typeof fetch;
const app = { api: createApi({ fetch: send, origin: 'http://hub.test' }), toasts: { failed } } as never;
const mine = message(1, { body: '- [ ] a', version: 2 });

beforeEach(() => {
  bodies = [];
  status = 200;
  // The chunk that draws Markdown needs a browser.
  renderer.withTask = (text, index, isDone) =>
    index === 0 ? text.replace(/\[[ x]\]/, isDone ? '[x]' : '[ ]') : undefined;
});
afterEach(() => {
  renderer.withTask = undefined;
  failed.mockClear();
});

test('a tick is an edit of the version on screen', async () => {
  expect((await tickTask(app, mine, 0, true))?.body).toBe('- [x] a');
  expect(bodies).toEqual([{ body: '- [x] a', version: 2 }]);
});

test('a refused tick is told, and nothing has changed', async () => {
  status = 409;
  expect(await tickTask(app, mine, 0, true)).toBeUndefined();
  expect(failed).toHaveBeenCalledOnce();
});

test('what is no task asks nothing', async () => {
  expect(await tickTask(app, mine, 1, true)).toBeUndefined();
  expect((await tickTask(app, mine, 0, false))?.version).toBe(2);
  expect(bodies).toEqual([]);
});
