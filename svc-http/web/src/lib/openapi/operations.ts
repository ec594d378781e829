/** The operations of a document, grouped by tag, in a form that a page can draw. */

import { asList, asObject, asText, type JsonObject } from '../json/read';
import { OpenApiDocument } from './document';
import { readSecurity, type Security } from './security';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] as const;
const UNTAGGED = 'Other';

export type Schema = unknown;

export interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description: string | undefined;
  readonly schema: Schema;
  readonly example: unknown;
}

/** One representation of a body: a media type with its schema. */
export interface Content {
  readonly mediaType: string;
  readonly schema: Schema;
  readonly examples: readonly Example[];
}

export interface Example {
  readonly title: string | undefined;
  readonly value: unknown;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description: string | undefined;
  readonly contents: readonly Content[];
}

export interface Response {
  readonly status: string;
  readonly description: string | undefined;
  readonly headers: readonly Parameter[];
  readonly contents: readonly Content[];
}

export interface Operation {
  /** Unique in the document and fit for an address: the fragment of its anchor link. */
  readonly anchor: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  readonly security: Security;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly Response[];
}

export interface OperationGroup {
  readonly tag: string;
  readonly anchor: string;
  readonly description: string | undefined;
  readonly operations: readonly Operation[];
}

/**
 * Every operation, under its first tag. Tags that the document describes come first and in its
 * order, then the others as they appear, then what has no tag.
 */
export function readGroups(document: OpenApiDocument): OperationGroup[] {
  const operations = new Map<string, Operation[]>();
  const descriptions = new Map<string, string | undefined>();
  for (const entry of asList(document.root['tags']).map(asObject)) {
    const tag = asText(entry?.['name']);
    if (tag === undefined) continue;
    operations.set(tag, []);
    descriptions.set(tag, asText(entry?.['description']));
  }

  const anchors = new Set<string>();
  const untagged: Operation[] = [];
  for (const { tag, operation } of walkOperations(document, anchors)) {
    if (tag === undefined) untagged.push(operation);
    else if (operations.has(tag)) operations.get(tag)?.push(operation);
    else operations.set(tag, [operation]);
  }

  const groups = [...operations].filter(([, members]) => members.length > 0);
  if (untagged.length > 0) groups.push([UNTAGGED, untagged]);
  return groups.map(([tag, members]) => ({
    tag,
    anchor: unique(`tag-${slug(tag)}`, anchors),
    description: descriptions.get(tag),
    operations: members,
  }));
}

function* walkOperations(document: OpenApiDocument, anchors: Set<string>) {
  for (const [path, referable] of Object.entries(asObject(document.root['paths']) ?? {})) {
    const item = document.resolve(referable)?.value;
    for (const method of METHODS) {
      const source = asObject(item?.[method]);
      if (!item || !source) continue;
      const tag = asText(asList(source['tags'])[0]);
      yield { tag, operation: readOperation(document, { path, method, item, source }, anchors) };
    }
  }
}

interface OperationSource {
  readonly path: string;
  readonly method: string;
  readonly item: JsonObject;
  readonly source: JsonObject;
}

function readOperation(
  document: OpenApiDocument,
  { path, method, item, source }: OperationSource,
  anchors: Set<string>,
): Operation {
  return {
    anchor: unique(slug(asText(source['operationId']) ?? `${method}-${path}`), anchors),
    method: method.toUpperCase(),
    path,
    summary: asText(source['summary']) ?? asText(item['summary']),
    description: asText(source['description']) ?? asText(item['description']),
    deprecated: source['deprecated'] === true,
    security: readSecurity(document, source['security'] ?? document.root['security']),
    parameters: readParameters(document, [...asList(item['parameters']), ...asList(source['parameters'])]),
    requestBody: readRequestBody(document, source['requestBody']),
    responses: readResponses(document, source['responses']),
  };
}

/** A parameter of the operation replaces one of its path that has the same name and place. */
function readParameters(document: OpenApiDocument, referables: readonly unknown[]): Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const referable of referables) {
    const source = document.resolve(referable)?.value;
    const name = asText(source?.['name']);
    if (!source || name === undefined) continue;
    const place = asText(source['in']) ?? 'query';
    parameters.set(`${place} ${name}`, readParameter(source, name, place));
  }
  return [...parameters.values()];
}

function readParameter(source: JsonObject, name: string, place: string): Parameter {
  const content = asObject(Object.values(asObject(source['content']) ?? {})[0]);
  return {
    name,
    place,
    required: source['required'] === true || place === 'path',
    deprecated: source['deprecated'] === true,
    description: asText(source['description']),
    schema: source['schema'] ?? content?.['schema'],
    example: source['example'] ?? readExamples(source)[0]?.value,
  };
}

function readRequestBody(document: OpenApiDocument, referable: unknown): RequestBody | undefined {
  const source = document.resolve(referable)?.value;
  if (!source) return undefined;
  return {
    required: source['required'] === true,
    description: asText(source['description']),
    contents: readContents(document, source['content']),
  };
}

function readResponses(document: OpenApiDocument, value: unknown): Response[] {
  return Object.entries(asObject(value) ?? {}).flatMap(([status, referable]) => {
    const source = document.resolve(referable)?.value;
    if (!source) return [];
    const headers = Object.entries(asObject(source['headers']) ?? {}).flatMap(([name, header]) => {
      const headerSource = document.resolve(header)?.value;
      return headerSource ? [readParameter(headerSource, name, 'header')] : [];
    });
    const contents = readContents(document, source['content']);
    return [{ status, description: asText(source['description']), headers, contents }];
  });
}

function readContents(document: OpenApiDocument, value: unknown): Content[] {
  return Object.entries(asObject(value) ?? {}).map(([mediaType, entry]) => {
    const source = asObject(entry) ?? {};
    return { mediaType, schema: source['schema'], examples: readExamples(source, document) };
  });
}

function readExamples(source: JsonObject, document?: OpenApiDocument): Example[] {
  if (source['example'] !== undefined) return [{ title: undefined, value: source['example'] }];
  return Object.entries(asObject(source['examples']) ?? {}).flatMap(([name, referable]) => {
    const example = document?.resolve(referable)?.value ?? asObject(referable);
    if (example?.['value'] === undefined) return [];
    return [{ title: asText(example['summary']) ?? name, value: example['value'] }];
  });
}

/** Letters, digits and single hyphens, so that the anchor needs no escaping in an address. */
function slug(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'operation';
}

function unique(wanted: string, taken: Set<string>): string {
  let anchor = wanted;
  for (let count = 2; taken.has(anchor); count += 1) anchor = `${wanted}-${count}`;
  taken.add(anchor);
  return anchor;
}
