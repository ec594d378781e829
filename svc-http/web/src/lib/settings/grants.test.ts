import { expect, test } from 'vitest';
import { createApi } from '../api/client';
import { Grants } from './grants.svelte';

function standIn(status: number) {
  let grants = [{ id: 1 }, { id: 2 }];
  const send = (async (request: Request) => {
    if (request.method === 'GET') return Response.json({ grants, total: grants.length });
    grants = grants.filter(({ id }) => !request.url.endsWith(`/${id}`));
    return status === 204
      ? new Response(null, { status })
      : Response.json({ detail: 'Not now.' }, { status });
  }) as typeof fetch;
  return new Grants(createApi({ fetch: send, origin: 'http://hub.test' }));
}

test.each([204, 404])('a client that is ended is gone (%i)', async (status) => {
  const grants = standIn(status);
  await grants.load();
  await grants.end(1);
  expect(grants.all?.map(({ id }) => id)).toEqual([2]);
});

test('a failed end is thrown', async () => {
  await expect(standIn(503).end(1)).rejects.toThrow('Not now.');
});
