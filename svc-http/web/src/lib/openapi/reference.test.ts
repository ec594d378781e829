import { expect, test } from 'vitest';
import { ApiReference } from './reference.svelte';

const DOCUMENT = {
  openapi: '3.0.3',
  paths: {
    '/a': { get: { operationId: 'a', tags: ['letters'] } },
    '/b': { get: { operationId: 'b', tags: ['letters'] } },
  },
};

function referenceTo(...answers: (() => Promise<Response>)[]): ApiReference {
  return new ApiReference((() => answers.shift()?.()) as unknown as typeof fetch);
}

async function loaded(): Promise<ApiReference> {
  const reference = referenceTo(async () => Response.json(DOCUMENT));
  await reference.load();
  return reference;
}

test('loads and groups the document', async () => {
  const reference = await loaded();
  expect(reference.failure).toBeUndefined();
  expect(reference.count).toBe(2);
});

test.each([
  ['a refusal', async () => new Response('', { status: 503 }), 'status 503'],
  ['text', async () => new Response('<html>'), 'did not return an OpenAPI document'],
  ['other JSON', async () => Response.json([]), 'did not return an OpenAPI document'],
  ['silence', () => Promise.reject(new TypeError('refused')), 'is not responding'],
])('%s is a failure that can be tried again', async (_what, answer, message) => {
  const reference = referenceTo(answer, async () => Response.json(DOCUMENT));
  await reference.load();
  expect(reference.failure).toContain(message);
  expect(reference.document).toBeUndefined();

  await reference.load();
  expect(reference.failure).toBeUndefined();
  expect(reference.document).toBeDefined();
});

test('the filter narrows what is shown', async () => {
  const reference = await loaded();
  reference.query = '/b';
  expect(reference.shownCount).toBe(1);
  expect(reference.count).toBe(2);
});

test('revealing unfolds an operation and drops a filter that hides it', async () => {
  const reference = await loaded();
  reference.query = '/b';
  reference.reveal('b');
  expect(reference.query).toBe('/b');
  reference.reveal('a');
  expect(reference.query).toBe('');
  expect([...reference.open]).toEqual(['b', 'a']);
});

test('revealing something unknown changes nothing', async () => {
  const reference = await loaded();
  reference.query = '/b';
  reference.reveal('nonsense');
  expect(reference.query).toBe('/b');
  expect(reference.open.size).toBe(0);
});

test('operations fold and unfold, alone and together', async () => {
  const reference = await loaded();
  reference.toggle('a');
  expect(reference.open.has('a')).toBe(true);
  reference.toggle('a');
  expect(reference.open.has('a')).toBe(false);
  reference.openAll();
  expect(reference.open.size).toBe(2);
  reference.closeAll();
  expect(reference.open.size).toBe(0);
});
