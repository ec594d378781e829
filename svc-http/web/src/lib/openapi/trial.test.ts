import { expect, test, vi } from 'vitest';
import { documentWith, onlyOperation } from './sample';
import { withoutSecrets } from './secrets';
import { hindrance, isRead, Trial } from './trial.svelte';

const SCHEMES = {
  session: { type: 'apiKey', in: 'cookie', name: 'session' },
  bearer: { type: 'http', scheme: 'bearer' },
};

function documentOf(method: string, operation: object, schemas: Record<string, unknown> = {}) {
  const paths = {
    '/things/{id}': { [method]: { security: [{ session: [] }, { bearer: [] }], ...operation } },
  };
  return documentWith({ paths, components: { schemas, securitySchemes: SCHEMES } });
}

function hindranceOf(operation: object, schemas?: Record<string, unknown>) {
  const document = documentOf('post', operation, schemas);
  return hindrance(document, onlyOperation(document));
}

const json = (schema: object, example?: unknown) => ({
  content: { 'application/json': { schema, example } },
});

test('what takes or gives a secret, streams, or needs a key cannot be tried', () => {
  expect(hindranceOf({})).toBeUndefined();
  expect(hindranceOf({ security: [{ bearer: [] }] })).toContain('takes a key');
  expect(hindranceOf({ responses: { 200: { content: { 'text/event-stream': {} } } } })).toContain(
    'does not end',
  );
  expect(hindranceOf({ requestBody: { content: { 'multipart/form-data': {} } } })).toContain('a file');
  const login = { properties: { password: { type: 'string' } } };
  expect(hindranceOf({ requestBody: json(login) })).toContain('password');
  const key = { type: 'string', description: 'The key. It is shown only once.' };
  const made = { properties: { made: { allOf: [{ $ref: '#/components/schemas/Key' }] } } };
  const responses = { 201: json({ $ref: '#/components/schemas/Made' }) };
  expect(hindranceOf({ responses }, { Made: made, Key: { properties: { key } } })).toContain(
    'answers with a secret',
  );
});

test('secrets are hidden wherever they stand', () => {
  expect(withoutSecrets('{"key": "svca_abcdefghijk", "of": "svca_…"}')).toBe(
    '{"key": "svca_… (hidden)", "of": "svca_…"}',
  );
  expect(withoutSecrets('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe('whsec_… (hidden)');
});

function trialOf(method: string, operation: object, answers: () => Response) {
  const document = documentOf(method, operation);
  const sent: { address: string; options: RequestInit }[] = [];
  const send = vi.fn((address: string, options: RequestInit) => {
    sent.push({ address, options });
    return Promise.resolve(answers());
  });
  let time = 0;
  const trial = new Trial(document, onlyOperation(document), send as never, () => (time += 17));
  return { trial, sent, operation: onlyOperation(document) };
}

const parameters = [
  { name: 'id', in: 'path' },
  { name: 'limit', in: 'query' },
  { name: 'If-Match', in: 'header' },
];

test('the values of the form go where they belong, and empty ones nowhere', async () => {
  const { trial, sent } = trialOf('get', { parameters }, () => Response.json({ a: 1 }));
  expect(await trial.send()).toBeUndefined();
  expect(trial.faults).toEqual({ 'path id': 'Enter a value.' });
  trial.values = { 'path id': '..' };
  expect(await trial.send()).toBeUndefined();
  expect(trial.faults['path id']).toContain('dots');
  trial.values = { 'path id': 'a b', 'query limit': '5', 'header If-Match': '' };
  expect(await trial.send()).toBe(200);
  expect(sent[0]).toMatchObject({
    address: '/things/a%20b?limit=5',
    options: { method: 'GET', headers: [] },
  });
  expect(trial.answered).toMatchObject({ status: 200, milliseconds: 17, body: '{\n  "a": 1\n}' });
  expect(trial.answered?.headers).toContainEqual(['content-type', 'application/json']);
});

test('a body begins as the example, and has to be JSON', async () => {
  const requestBody = json({}, { text: 'Hello' });
  const { trial, sent, operation } = trialOf('post', { parameters, requestBody }, () =>
    Response.json({ code: 'not_found' }, { status: 404 }),
  );
  expect(isRead(operation)).toBe(false);
  expect(JSON.parse(trial.body)).toEqual({ text: 'Hello' });
  trial.values = { 'path id': '1', 'header If-Match': '"3"' };
  trial.body = '{"text"';
  expect(trial.check()).toBe(false);
  expect(trial.faults['body']).toMatch(/^This is not JSON/);
  trial.body = '{"text": "Hi"}';
  expect(await trial.send()).toBe(404);
  expect(sent[0]?.options).toMatchObject({
    method: 'POST',
    credentials: 'same-origin',
    body: '{"text": "Hi"}',
    headers: [
      ['If-Match', '"3"'],
      ['Content-Type', 'application/json'],
    ],
  });
  // A body that is not required may be left out.
  trial.body = ' ';
  await trial.send();
  expect(sent[1]?.options).not.toHaveProperty('body');
});

test('an answer without text is described, one that is long is cut', async () => {
  const bytes = () => new Response(new Uint8Array(7), { headers: { 'content-type': 'image/png' } });
  const picture = trialOf('get', {}, bytes).trial;
  picture.values = { 'path id': '1' };
  await picture.send();
  expect(picture.answered).toMatchObject({
    body: undefined,
    remark: 'The body has 7 bytes of the type image/png.',
  });
  const long = trialOf(
    'get',
    {},
    () => new Response('x'.repeat(60_000), { headers: { 'content-type': 'text/csv' } }),
  ).trial;
  await long.send();
  expect(long.answered?.body).toHaveLength(50_000);
  expect(long.answered?.remark).toContain('50,000');
  const empty = trialOf('delete', {}, () => new Response(null, { status: 204 })).trial;
  await empty.send();
  expect(empty.answered).toMatchObject({ status: 204, body: undefined, remark: 'The answer has no body.' });
});

test('without an answer it says so', async () => {
  const { trial } = trialOf('get', {}, () => {
    throw new TypeError('no');
  });
  expect(await trial.send()).toBeUndefined();
  expect([trial.failure, trial.busy]).toEqual(['The server is not responding.', false]);
});
