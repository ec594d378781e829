import { expect, test } from 'vitest';
import { createApi } from '../api/client';
import { matching, Templates, type Template } from './templates.svelte';

const template = (id: number, name: string, body = 'text'): Template => ({
  id,
  name,
  body,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
});

test('names are found before texts', () => {
  const all = [template(1, 'Away', 'Thanks for waiting'), template(2, 'Thanks'), template(3, 'Hello')];
  expect(matching(all, 'thanks').map(({ id }) => id)).toEqual([2, 1]);
  expect(matching(all, ' ')).toHaveLength(3);
  expect(matching(all, 'nothing like this')).toEqual([]);
});

test('the list stays in the order of the names', async () => {
  const send = (async (request: Request) => {
    if (request.method === 'POST') return Response.json(template(3, 'beta'), { status: 201 });
    if (request.method === 'PATCH') return Response.json(template(1, 'Omega'));
    if (request.method === 'DELETE') return new Response(null, { status: 204 });
    return Response.json({ templates: [template(1, 'Alpha'), template(2, 'Gamma')] });
  }) as typeof fetch;
  const templates = new Templates(createApi({ fetch: send, origin: 'http://hub.test' }));
  await templates.load();
  const names = () => templates.all?.map(({ name }) => name);
  await templates.create({ name: 'beta', body: 'text' });
  expect(names()).toEqual(['Alpha', 'beta', 'Gamma']);
  await templates.update(template(1, 'Alpha'), { name: 'Omega', body: 'text' });
  expect(names()).toEqual(['beta', 'Gamma', 'Omega']);
  await templates.delete(template(2, 'Gamma'));
  expect(names()).toEqual(['beta', 'Omega']);
});
