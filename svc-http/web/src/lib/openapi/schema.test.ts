import { describe, expect, test } from 'vitest';
import { documentWith } from './sample';
import { describeSchema, hasInside } from './schema';

const document = documentWith({
  schemas: {
    Agent: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, owner: {} } },
    Task: {
      type: 'object',
      properties: {
        parent: { $ref: '#/components/schemas/Task' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Task' } },
      },
    },
    List: { type: 'array', items: { $ref: '#/components/schemas/List' } },
    Knot: { allOf: [{ $ref: '#/components/schemas/Knot' }], properties: { end: {} } },
    Text: { type: 'object', properties: { text: { type: 'string' } } },
    Image: { type: 'object', properties: { url: { type: 'string' } } },
  },
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const describeIt = (schema: unknown) => describeSchema(document, schema);

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: 'string', format: 'uuid' }, 'string · uuid'],
  [{ type: ['string', 'null'] }, 'string'],
  [{ type: ['string', 'integer'] }, 'string or integer'],
  [{ type: 'array', items: { type: 'integer' } }, 'array of integer'],
  [{ type: 'array', items: ref('Agent') }, 'array of Agent'],
  [{ type: 'array' }, 'array'],
  [{ properties: {} }, 'object'],
  [{ enum: ['a'] }, 'enum'],
  [{ oneOf: [ref('Text'), ref('Image')] }, 'one of'],
  [{ anyOf: [ref('Text')] }, 'Text'],
  [ref('Agent'), 'Agent'],
  [ref('Missing'), 'Missing'],
  [{ allOf: [ref('Agent'), { description: 'The author.' }], nullable: true }, 'Agent'],
  [{}, 'any'],
  [undefined, 'any'],
  [true, 'any'],
  [{ type: 7, properties: 'x', required: 'y', enum: {} }, 'object'],
])('the type of %j is %s', (schema, expected) => {
  expect(describeIt(schema).type).toBe(expected);
});

test('an object lists its fields and which are required', () => {
  expect(describeIt(ref('Agent')).fields).toEqual([
    { name: 'name', required: true, schema: { type: 'string' } },
    { name: 'owner', required: false, schema: {} },
  ]);
});

test('an array shows what its items are made of', () => {
  const { fields, references } = describeIt({ type: 'array', items: ref('Agent') });
  expect(fields.map(({ name }) => name)).toEqual(['name', 'owner']);
  expect(references).toEqual(['#/components/schemas/Agent']);
});

test('a map shows the schema of its values', () => {
  const description = describeIt({ type: 'object', additionalProperties: ref('Agent') });
  expect(description.otherFields).toEqual(ref('Agent'));
  expect(hasInside(description)).toBe(true);
  expect(hasInside(describeIt({ type: 'object', additionalProperties: true }))).toBe(false);
});

test('nullable is understood in both spellings', () => {
  expect(describeIt({ type: 'string', nullable: true }).nullable).toBe(true);
  expect(describeIt({ type: ['string', 'null'] }).nullable).toBe(true);
  expect(describeIt({ type: 'string' }).nullable).toBe(false);
});

test('values and facts are put into words', () => {
  const description = describeIt({
    type: 'string',
    enum: ['a', null],
    default: 'a',
    minLength: 1,
    maxLength: 80,
    pattern: '^[a-z]+$',
    readOnly: true,
  });
  expect(description.values).toEqual(['"a"', 'null']);
  expect(description.facts).toEqual(['default "a"', '1 to 80 characters', 'pattern ^[a-z]+$', 'read-only']);
  expect(describeIt({ type: 'integer', minimum: 0 }).facts).toEqual(['at least 0']);
  expect(describeIt({ type: 'array', maxItems: 5, uniqueItems: true }).facts).toEqual([
    'at most 5 items',
    'no duplicates',
  ]);
});

describe('allOf', () => {
  test('puts the fields of all parts together', () => {
    const description = describeIt({
      allOf: [ref('Agent'), { required: ['age'], properties: { age: { type: 'integer' } } }],
      description: 'Both.',
    });
    expect(description.fields.map(({ name, required }) => [name, required])).toEqual([
      ['name', true],
      ['owner', false],
      ['age', true],
    ]);
    expect(description.description).toBe('Both.');
  });

  test('ends when a schema is part of itself', () => {
    expect(describeIt(ref('Knot')).fields.map(({ name }) => name)).toEqual(['end']);
  });
});

describe('variants', () => {
  test('are named by the discriminator, then by reference, title, type and number', () => {
    const description = describeIt({
      oneOf: [ref('Text'), ref('Image'), { title: 'Voice' }, { type: 'string' }, {}],
      discriminator: { propertyName: 'kind', mapping: { text: '#/components/schemas/Text' } },
    });
    expect(description.choice).toBe('one of');
    expect(description.variants.map(({ title }) => title)).toEqual([
      'text',
      'Image',
      'Voice',
      'string',
      'variant 5',
    ]);
  });
});

describe('recursion', () => {
  test('one level is described at a time', () => {
    const { fields } = describeIt(ref('Task'));
    expect(fields.map(({ schema }) => describeIt(schema).type)).toEqual(['Task', 'array of Task']);
    expect(describeIt(fields[1]?.schema).references).toEqual(['#/components/schemas/Task']);
  });

  test('an array of itself ends', () => {
    expect(describeIt(ref('List')).type).toBe('List');
  });
});
