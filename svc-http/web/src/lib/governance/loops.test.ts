import { expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { Loops } from './loops.svelte';

test('a loop that is lifted is among the lifted ones', async () => {
  const asked: string[] = [];
  let lifted_at: string | null = null;
  const send = (async (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push(`${request.method} ${pathname}`);
    if (request.method === 'POST') lifted_at = '2026-03-01T12:00:00Z';
    return Response.json({
      loops: [
        { id: 2, lifted_at },
        { id: 1, lifted_at: '2026-03-01T11:00:00Z' },
      ],
    });
  }) as typeof fetch;
  const loops = new Loops(createApi({ fetch: send, origin: 'http://hub.test' }), { on: () => () => {} });
  const stop = loops.watch();
  await vi.waitFor(() => expect(loops.held.map(({ id }) => id)).toEqual([2]));
  expect(loops.lifted.map(({ id }) => id)).toEqual([1]);
  await loops.lift(2);
  expect(asked).toEqual(['GET /api/loops', 'POST /api/loops/2/lift', 'GET /api/loops']);
  expect([loops.held.length, loops.lifted.length]).toEqual([0, 2]);
  stop();
});
