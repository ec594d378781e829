import { describe, expect, test } from 'vitest';
import { OpenApiDocument, referenceName } from './document';
import { documentWith } from './sample';

describe('read', () => {
  test.each([[undefined], [null], ['text'], [[]], [{}], [{ error: 'no' }]])('%j is no document', (value) => {
    expect(OpenApiDocument.read(value)).toBeUndefined();
  });

  test('a document without anything but its version is one', () => {
    const document = OpenApiDocument.read({ openapi: '3.0.0' });
    expect(document?.title).toBe('API');
    expect(document?.version).toBeUndefined();
  });
});

describe('resolve', () => {
  const document = documentWith({
    schemas: {
      Plain: { type: 'string' },
      Alias: { $ref: '#/components/schemas/Plain' },
      Loop: { $ref: '#/components/schemas/Loop' },
      'a/b~c': { type: 'integer' },
    },
  });

  test('follows a chain and tells the way', () => {
    expect(document.resolve({ $ref: '#/components/schemas/Alias' })).toEqual({
      value: { type: 'string' },
      references: ['#/components/schemas/Alias', '#/components/schemas/Plain'],
    });
  });

  test('understands escaped names', () => {
    expect(document.resolve({ $ref: '#/components/schemas/a~1b~0c' })?.value).toEqual({ type: 'integer' });
  });

  test.each([
    ['a circle', '#/components/schemas/Loop'],
    ['nothing', '#/components/schemas/Missing'],
    ['another document', 'other.json#/Message'],
    ['a property every object inherits', '#/constructor'],
  ])('a reference to %s gives nothing', (_what, reference) => {
    expect(document.resolve({ $ref: reference })).toBeUndefined();
  });
});

test('the name of a reference is its last part', () => {
  expect(referenceName('#/components/schemas/Message')).toBe('Message');
});
