/** An example value for a schema that gives none itself. */

import { asList, asNumber, asObject, asText, type JsonObject } from '../json/read';
import type { OpenApiDocument } from './document';
import type { Content, Schema } from './operations';
import { mergeAllOf } from './schema';

/** Deeper levels are cut off: an example is to be read, not to be complete. */
const DEEPEST = 6;

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  uuid: '3f2b1c9e-7a54-4d1b-9c3e-5a8f0e6d2b10',
  email: 'name@example.org',
  uri: 'https://example.org/',
  url: 'https://example.org/',
};

/** Which way a body travels: fields may be meant for one way only. */
export type Direction = 'request' | 'response';

interface Setting {
  readonly document: OpenApiDocument;
  readonly direction: Direction;
}

/** The author's example for a body, or else one made from its schema. */
export function exampleOf(document: OpenApiDocument, content: Content, direction: Direction): unknown {
  return content.examples[0]?.value ?? exampleOfSchema(document, content.schema, direction);
}

export function exampleOfSchema(document: OpenApiDocument, schema: Schema, direction: Direction): unknown {
  return build({ document, direction }, schema, []);
}

function build(setting: Setting, schema: Schema, above: readonly unknown[]): unknown {
  const { document } = setting;
  const resolved = document.resolve(schema)?.value;
  if (!resolved || above.length > DEEPEST || above.includes(resolved)) return null;

  const source = mergeAllOf(document, resolved, new Set([resolved]));
  const given = source['example'] ?? source['default'] ?? source['const'] ?? asList(source['enum'])[0];
  if (given !== undefined) return given;

  const here = [...above, resolved];
  const options = asList(source['oneOf']).length > 0 ? asList(source['oneOf']) : asList(source['anyOf']);
  if (source['properties'] !== undefined && options.length > 0)
    return withFirstOnly(buildObject(setting, source, here), options);
  if (options.length > 0) return build(setting, options[0], here);
  return buildByType(setting, source, here);
}

function buildByType(setting: Setting, source: JsonObject, here: readonly unknown[]): unknown {
  const type = source['type'] ?? (source['properties'] === undefined ? undefined : 'object');
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return buildObject(setting, source, here);
    case 'array': {
      const item = build(setting, source['items'], here);
      return item === null ? [] : [item];
    }
    case 'string':
      return FORMATS[asText(source['format']) ?? ''] ?? 'text';
    case 'integer':
    case 'number':
      return asNumber(source['minimum']) ?? 0;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

/** An object of which one of several fields is needed: the others are left out. */
function withFirstOnly(object: JsonObject, options: readonly unknown[]): JsonObject {
  const [first, ...others] = options.map((option) => asList(asObject(option)?.['required']));
  const unwanted = others.flat().filter((name) => !first?.includes(name));
  return Object.fromEntries(Object.entries(object).filter(([name]) => !unwanted.includes(name)));
}

/** Fields of the other direction are left out, as are optional ones without a value to show. */
function buildObject(setting: Setting, source: JsonObject, here: readonly unknown[]): JsonObject {
  const required = asList(source['required']);
  const otherWay = setting.direction === 'request' ? 'readOnly' : 'writeOnly';
  const entries = Object.entries(asObject(source['properties']) ?? {}).flatMap(([name, schema]) => {
    if (setting.document.resolve(schema)?.value[otherWay] === true) return [];
    const value = build(setting, schema, here);
    return value === null && !required.includes(name) ? [] : [[name, value]];
  });
  return Object.fromEntries(entries) as JsonObject;
}
