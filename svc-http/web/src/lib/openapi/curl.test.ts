import { expect, test } from 'vitest';
import { curlLine } from './curl';
import { documentWith, onlyOperation } from './sample';

const ORIGIN = 'https://hub.test';

function lineFor(path: string, item: Record<string, unknown>, rest: Record<string, unknown> = {}): string {
  const document = documentWith({ paths: { [path]: item }, ...rest });
  return curlLine(document, onlyOperation(document), ORIGIN);
}

function body(mediaType: string, schema: unknown, example?: unknown) {
  return { requestBody: { content: { [mediaType]: { schema, example } } } };
}

test('a plain read needs nothing but its address', () => {
  expect(lineFor('/readyz', { get: {} })).toBe("curl 'https://hub.test/readyz'");
});

test('parameters that are needed are filled in, from examples where there are some', () => {
  const parameters = [
    { name: 'channel', in: 'path', example: 'a b' },
    { name: 'message-id', in: 'path' },
    { name: 'limit', in: 'query', required: true, schema: { default: 20 } },
    { name: 'before', in: 'query' },
    { name: 'Idempotency-Key', in: 'header', required: true },
  ];
  expect(lineFor('/c/{channel}/{message-id}', { delete: { parameters } })).toBe(
    "curl -X DELETE 'https://hub.test/c/a%20b/MESSAGE_ID?limit=20' \\\n  -H 'Idempotency-Key: IDEMPOTENCY_KEY'",
  );
});

test('a JSON body cannot break out of its quotes', () => {
  expect(lineFor('/m', { post: body('application/json', {}, { text: "it's" }) })).toBe(
    "curl 'https://hub.test/m' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"text\":\"it'\\''s\"}'",
  );
});

test('files are sent as parts', () => {
  const schema = { properties: { file: { type: 'string', format: 'binary' }, name: { type: 'string' } } };
  expect(lineFor('/f', { put: body('multipart/form-data', schema) })).toBe(
    "curl -X PUT 'https://hub.test/f' \\\n  -F 'file=@FILE' \\\n  -F 'name=NAME'",
  );
});

test('forms and raw bytes have their own options', () => {
  const form = { properties: { a: { type: 'string' } } };
  expect(lineFor('/f', { post: body('application/x-www-form-urlencoded', form) })).toContain(
    "--data-urlencode 'a=text'",
  );
  expect(lineFor('/f', { post: body('application/octet-stream', {}) })).toContain('--data-binary @FILE');
});

test.each([
  [{ type: 'http', scheme: 'bearer' }, '-H "Authorization: Bearer $TOKEN"'],
  [{ type: 'oauth2' }, '-H "Authorization: Bearer $TOKEN"'],
  [{ type: 'http', scheme: 'basic' }, '-u "$NAME:$PASSWORD"'],
  [{ type: 'apiKey', in: 'header', name: 'X-Key' }, '-H "X-Key: $TOKEN"'],
  [{ type: 'apiKey', in: 'cookie', name: 'session' }, '-b "session=$TOKEN"'],
  [{ type: 'apiKey', in: 'query', name: 'key' }, "'https://hub.test/a?key=TOKEN'"],
])('the scheme %j adds %s', (scheme, expected) => {
  const rest = { components: { securitySchemes: { it: scheme } } };
  expect(lineFor('/a', { get: { security: [{ it: [] }] } }, rest)).toContain(expected);
});

test('a token is preferred to a cookie', () => {
  const securitySchemes = {
    cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    token: { type: 'http', scheme: 'bearer' },
  };
  const line = lineFor(
    '/a',
    { get: { security: [{ cookie: [] }, { token: [] }] } },
    { components: { securitySchemes } },
  );
  expect(line).toContain('Bearer');
  expect(line).not.toContain('session');
});

test('the server of the document is put before the path', () => {
  expect(lineFor('/a', { get: {} }, { servers: [{ url: '/api' }] })).toBe("curl 'https://hub.test/api/a'");
  expect(lineFor('/a', { get: {} }, { servers: [{ url: 'https://x.test/v1/' }] })).toBe(
    "curl 'https://x.test/v1/a'",
  );
  expect(lineFor('/a', { get: {} }, { servers: [{ url: 'http://[' }] })).toBe("curl 'https://hub.test/a'");
});
