/**
 * Schemas as people read them.
 *
 * `describeSchema` looks one level deep and hands on the schemas below undescribed, because schemas
 * may be recursive: the page describes a level when somebody opens it.
 */

import { asList, asNumber, asObject, asText, type JsonObject } from '../json/read';
import { referenceName, type OpenApiDocument } from './document';
import type { Schema } from './operations';

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Variant {
  readonly title: string;
  readonly schema: Schema;
}

export interface SchemaDescription {
  /** The type in one line: `Message`, `array of string`, `integer · int64`. */
  readonly type: string;
  readonly description: string | undefined;
  readonly nullable: boolean;
  readonly deprecated: boolean;
  /** Short remarks: limits, default, read-only. */
  readonly facts: readonly string[];
  readonly values: readonly string[];
  readonly fields: readonly Field[];
  /** The schema of values under any other key, for maps. */
  readonly otherFields: Schema | undefined;
  readonly choice: 'one of' | 'any of' | undefined;
  readonly variants: readonly Variant[];
  /** References on the way to here, so that a schema within itself can be told. */
  readonly references: readonly string[];
}

/** Describes one level of a schema. What cannot be understood is called `any`. */
export function describeSchema(document: OpenApiDocument, schema: Schema): SchemaDescription {
  return describe(document, schema, new Set());
}

/** Whether there is anything below this level worth opening. */
export function hasInside(description: SchemaDescription): boolean {
  return (
    description.fields.length > 0 || description.variants.length > 0 || description.otherFields !== undefined
  );
}

function describe(document: OpenApiDocument, schema: Schema, seen: ReadonlySet<unknown>): SchemaDescription {
  const resolved = document.resolve(schema);
  const name = referenceTitle(schema) ?? referenceTitle(loneReference(resolved?.value));
  // A reference that leads nowhere still has a name worth showing.
  if (!resolved || seen.has(resolved.value)) return { ...NOTHING, type: name ?? 'any' };

  const seenHere = new Set([...seen, resolved.value]);
  const source = mergeAllOf(document, resolved.value, seenHere);
  const items = source['items'] === undefined ? undefined : describe(document, source['items'], seenHere);
  const variants = readVariants(document, source);
  const own = {
    ...NOTHING,
    type: name ?? typeOf(source, items, variants),
    description: asText(source['description']),
    nullable: source['nullable'] === true || typesOf(source).includes('null'),
    deprecated: source['deprecated'] === true,
    facts: factsOf(source),
    values: valuesOf(source),
    ...variants,
    references: [...resolved.references, ...referencesOf(loneReference(resolved.value))],
  };
  // What one wants to see inside an array is what its items are made of.
  if (items) return { ...own, ...insideOf(items), references: [...own.references, ...items.references] };
  return { ...own, fields: fieldsOf(source), otherFields: otherFieldsOf(source) };
}

const NOTHING: SchemaDescription = {
  type: 'any',
  description: undefined,
  nullable: false,
  deprecated: false,
  facts: [],
  values: [],
  fields: [],
  otherFields: undefined,
  choice: undefined,
  variants: [],
  references: [],
};

function insideOf({ fields, otherFields, choice, variants, values }: SchemaDescription) {
  return { fields, otherFields, choice, variants, values };
}

/** One object in place of the parts of `allOf`: their fields together, later texts over earlier. */
export function mergeAllOf(
  document: OpenApiDocument,
  source: JsonObject,
  seen: ReadonlySet<unknown>,
): JsonObject {
  const parts = asList(source['allOf']);
  if (parts.length === 0) return source;

  const { allOf: _parts, ...own } = source;
  const merged: Record<string, unknown> = {};
  const properties: Record<string, unknown> = {};
  const required: unknown[] = [];
  const resolvedParts = parts.flatMap((part) => {
    const value = document.resolve(part)?.value;
    return value && !seen.has(value) ? [mergeAllOf(document, value, new Set([...seen, value]))] : [];
  });
  for (const part of [...resolvedParts, own]) {
    Object.assign(merged, part);
    Object.assign(properties, asObject(part['properties']));
    required.push(...asList(part['required']));
  }
  if (Object.keys(properties).length > 0) merged['properties'] = properties;
  if (required.length > 0) merged['required'] = required;
  return merged;
}

function readVariants(
  document: OpenApiDocument,
  source: JsonObject,
): Pick<SchemaDescription, 'choice' | 'variants'> {
  const choice = asList(source['oneOf']).length > 0 ? 'one of' : 'any of';
  const options = asList(source[choice === 'one of' ? 'oneOf' : 'anyOf']);
  if (options.length === 0) return { choice: undefined, variants: [] };

  const mapping = asObject(asObject(source['discriminator'])?.['mapping']) ?? {};
  const tags = new Map(Object.entries(mapping).map(([tag, reference]) => [reference, tag]));
  const variants = options.map((schema, index) => {
    const resolved = document.resolve(schema)?.value;
    const title =
      tags.get(asObject(schema)?.['$ref']) ?? referenceTitle(schema) ?? asText(resolved?.['title']);
    return { title: title ?? asText(resolved?.['type']) ?? `variant ${index + 1}`, schema };
  });
  return { choice, variants };
}

function typeOf(
  source: JsonObject,
  items: SchemaDescription | undefined,
  { choice, variants }: Pick<SchemaDescription, 'choice' | 'variants'>,
): string {
  if (items) return `array of ${items.type}`;
  const types = typesOf(source).filter((type) => type !== 'null');
  const format = asText(source['format']);
  if (types.length === 0 && choice !== undefined) {
    return variants.length === 1 ? (variants[0]?.title ?? 'any') : choice;
  }
  if (types.length === 0) types.push(impliedType(source));
  return format === undefined ? types.join(' or ') : `${types.join(' or ')} · ${format}`;
}

function impliedType(source: JsonObject): string {
  if (source['properties'] !== undefined || asObject(source['additionalProperties'])) return 'object';
  return asList(source['enum']).length > 0 ? 'enum' : 'any';
}

/** OpenAPI 3.0 has one type, 3.1 may list several. */
function typesOf(source: JsonObject): string[] {
  const type = source['type'];
  return (Array.isArray(type) ? type : [type]).flatMap((entry) => asText(entry) ?? []);
}

function valuesOf(source: JsonObject): string[] {
  if (source['const'] !== undefined) return [JSON.stringify(source['const'])];
  return asList(source['enum']).map((value) => JSON.stringify(value));
}

function fieldsOf(source: JsonObject): Field[] {
  const required = asList(source['required']);
  return Object.entries(asObject(source['properties']) ?? {}).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema,
  }));
}

function otherFieldsOf(source: JsonObject): Schema | undefined {
  const schema = asObject(source['additionalProperties']);
  return schema && Object.keys(schema).length > 0 ? schema : undefined;
}

function factsOf(source: JsonObject): string[] {
  const facts: string[] = [];
  if (source['default'] !== undefined) facts.push(`default ${JSON.stringify(source['default'])}`);
  const length = range(asNumber(source['minLength']), asNumber(source['maxLength']));
  if (length) facts.push(`${length} characters`);
  const size = range(asNumber(source['minItems']), asNumber(source['maxItems']));
  if (size) facts.push(`${size} items`);
  const limits = range(asNumber(source['minimum']), asNumber(source['maximum']));
  if (limits) facts.push(limits);
  const pattern = asText(source['pattern']);
  if (pattern !== undefined) facts.push(`pattern ${pattern}`);
  if (source['uniqueItems'] === true) facts.push('no duplicates');
  if (source['readOnly'] === true) facts.push('read-only');
  if (source['writeOnly'] === true) facts.push('write-only');
  return facts;
}

function range(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined) return least === most ? `${least}` : `${least} to ${most}`;
  if (least !== undefined) return `at least ${least}`;
  return most === undefined ? undefined : `at most ${most}`;
}

/**
 * The one reference in an `allOf` whose other parts only add remarks to it. OpenAPI 3.0 allows no
 * text beside a reference, so this is how a described or nullable reference is written.
 */
function loneReference(source: JsonObject | undefined): Schema | undefined {
  const parts = asList(source?.['allOf']);
  const references = parts.filter((part) => referencesOf(part).length > 0);
  const adds = [source, ...parts].some((part) => asObject(part)?.['properties'] !== undefined);
  return references.length === 1 && !adds ? references[0] : undefined;
}

function referencesOf(schema: Schema): string[] {
  const reference = asText(asObject(schema)?.['$ref']);
  return reference === undefined ? [] : [reference];
}

function referenceTitle(schema: Schema): string | undefined {
  return referencesOf(schema).map(referenceName)[0];
}
