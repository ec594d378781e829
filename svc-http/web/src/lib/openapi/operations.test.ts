import { describe, expect, test } from 'vitest';
import { readGroups } from './operations';
import { documentWith, onlyOperation } from './sample';

function layout(document: Parameters<typeof readGroups>[0]) {
  return readGroups(document).map(({ tag, operations }) => [tag, operations.map(({ anchor }) => anchor)]);
}

describe('readGroups', () => {
  test('described tags come first, then others as they appear, then the untagged', () => {
    const document = documentWith({
      tags: [{ name: 'messages', description: 'All about messages.' }, { name: 'unused' }],
      paths: {
        '/a': { get: { operationId: 'a' } },
        '/b': { get: { operationId: 'b', tags: ['wiki'] } },
        '/c': {
          post: { operationId: 'c', tags: ['messages', 'wiki'] },
          get: { operationId: 'd', tags: ['wiki'] },
        },
      },
    });
    expect(layout(document)).toEqual([
      ['messages', ['c']],
      ['wiki', ['b', 'd']],
      ['Other', ['a']],
    ]);
    expect(readGroups(document)[0]?.description).toBe('All about messages.');
  });

  test('anchors are fit for an address and never the same twice', () => {
    const document = documentWith({
      paths: {
        '/c/{id}': { get: {}, post: { operationId: 'send message' } },
        '/d': { get: { operationId: 'send message' } },
        '/': { get: {} },
      },
    });
    expect(layout(document)).toEqual([['Other', ['get-c-id', 'send-message', 'send-message-2', 'get']]]);
  });

  test.each([
    ['no paths', {}],
    ['paths that are none', { '/a': null, '/b': 'text', '/c': { get: 7, summary: 'x' } }],
  ])('survives %s', (_what, paths) => {
    expect(readGroups(documentWith({ paths }))).toEqual([]);
  });

  test('survives an operation without any field', () => {
    expect(onlyOperation(documentWith({ paths: { '/a': { delete: {} } } }))).toMatchObject({
      method: 'DELETE',
      path: '/a',
      summary: undefined,
      parameters: [],
      requestBody: undefined,
      responses: [],
      security: { need: 'none' },
    });
  });
});

test('a parameter of the operation replaces that of the path', () => {
  const document = documentWith({
    paths: {
      '/c/{channel}': {
        parameters: [
          { name: 'channel', in: 'path', description: 'general' },
          { name: 'limit', in: 'query', description: 'general' },
        ],
        get: {
          parameters: [
            { name: 'limit', in: 'query', required: true, description: 'special' },
            { in: 'query' },
          ],
        },
      },
    },
  });
  expect(
    onlyOperation(document).parameters.map(({ name, required, description }) => [
      name,
      required,
      description,
    ]),
  ).toEqual([
    ['channel', true, 'general'],
    ['limit', true, 'special'],
  ]);
});

test('bodies, responses and headers are read through references', () => {
  const document = documentWith({
    paths: {
      '/a': {
        post: {
          requestBody: { $ref: '#/components/requestBodies/Body' },
          responses: { '200': { $ref: '#/components/responses/Done' }, default: {}, '404': null },
        },
      },
    },
    components: {
      requestBodies: {
        Body: {
          required: true,
          content: { 'application/json': { schema: { type: 'string' }, example: 'hi' } },
        },
      },
      responses: {
        Done: {
          description: 'Done.',
          headers: { ETag: { description: 'The version.', schema: { type: 'string' } } },
          content: {
            'application/json': {
              examples: { first: { summary: 'The first', value: 1 }, none: {}, second: { value: 2 } },
            },
          },
        },
      },
    },
  });
  const { requestBody, responses } = onlyOperation(document);
  expect(requestBody).toMatchObject({ required: true, contents: [{ examples: [{ value: 'hi' }] }] });
  expect(responses.map(({ status }) => status)).toEqual(['200', 'default']);
  expect(responses[0]?.headers[0]).toMatchObject({ name: 'ETag', description: 'The version.' });
  expect(responses[0]?.contents[0]?.examples).toEqual([
    { title: 'The first', value: 1 },
    { title: 'second', value: 2 },
  ]);
});

describe('security', () => {
  const components = {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
  };

  function securityOf(root: unknown, own: unknown) {
    const operation = own === undefined ? {} : { security: own };
    const document = documentWith({ paths: { '/a': { get: operation } }, components, security: root });
    return onlyOperation(document).security;
  }

  test('that of the document holds unless the operation has its own', () => {
    expect(securityOf([{ token: [] }], undefined).need).toBe('required');
    expect(securityOf([{ token: [] }], []).need).toBe('none');
  });

  test('an empty alternative makes it optional', () => {
    expect(securityOf(undefined, [{}, { token: [] }]).need).toBe('optional');
  });

  test('alternatives and combinations are kept apart', () => {
    const { alternatives } = securityOf(undefined, [{ token: ['read'] }, { key: [], token: [] }]);
    expect(alternatives.map((schemes) => schemes.map(({ title }) => title))).toEqual([
      ['Bearer token'],
      ['API key in header X-Key', 'Bearer token'],
    ]);
    expect(alternatives[0]?.[0]?.scopes).toEqual(['read']);
  });

  test('a scheme that the document does not define keeps its name', () => {
    expect(securityOf(undefined, [{ mystery: [] }]).alternatives[0]?.[0]?.title).toBe('mystery');
  });
});
