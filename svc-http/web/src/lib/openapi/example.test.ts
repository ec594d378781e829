import { expect, test } from 'vitest';
import { exampleOf, exampleOfSchema } from './example';
import { documentWith } from './sample';

const document = documentWith({
  schemas: {
    Task: {
      type: 'object',
      required: ['title', 'parent'],
      properties: {
        id: { type: 'string', format: 'uuid', readOnly: true },
        title: { type: 'string', example: 'Write it down' },
        secret: { type: 'string', writeOnly: true },
        parent: { $ref: '#/components/schemas/Task' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Task' } },
      },
    },
  },
});

test.each([
  [{ type: 'string' }, 'text'],
  [{ type: 'string', format: 'date' }, '2026-01-31'],
  [{ type: 'integer', minimum: 3 }, 3],
  [{ type: 'number', default: 0.5 }, 0.5],
  [{ type: 'boolean' }, true],
  [{ enum: ['low', 'high'] }, 'low'],
  [{ type: 'array', items: { type: 'string' } }, ['text']],
  [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }, 0],
  [
    { allOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'integer' } } }] },
    { a: 'text', b: 0 },
  ],
  [
    {
      type: 'object',
      oneOf: [{ required: ['to'] }, { required: ['channel'] }],
      required: ['body'],
      properties: { to: { type: 'string' }, channel: { type: 'string' }, body: { type: 'string' } },
    },
    { to: 'text', body: 'text' },
  ],
  [{ $ref: '#/components/schemas/Missing' }, null],
  [undefined, null],
])('the example of %j is %j', (schema, expected) => {
  expect(exampleOfSchema(document, schema, 'request')).toEqual(expected);
});

test('a recursive schema ends, and each direction has its own fields', () => {
  const task = { $ref: '#/components/schemas/Task' };
  expect(exampleOfSchema(document, task, 'request')).toEqual({
    title: 'Write it down',
    secret: 'text',
    parent: null,
    children: [],
  });
  expect(Object.keys(exampleOfSchema(document, task, 'response') as object)).toEqual([
    'id',
    'title',
    'parent',
    'children',
  ]);
});

test('an example by the author is taken as it is', () => {
  const content = { mediaType: 'application/json', schema: {}, examples: [{ title: undefined, value: [1] }] };
  expect(exampleOf(document, content, 'response')).toEqual([1]);
});
