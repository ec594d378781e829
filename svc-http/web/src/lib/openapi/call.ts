/** A call of an operation with examples filled in, which each language writes in its own way. */

import { asList, asObject, asText } from '../json/read';
import type { OpenApiDocument } from './document';
import { exampleOf } from './example';
import type { Content, Operation, Parameter } from './operations';
import type { Carrier } from './security';

export interface Call {
  readonly method: string;
  readonly address: string;
  /** Without the credential. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly credential: Carrier | undefined;
  readonly body: CallBody | undefined;
}

export type CallBody =
  | { readonly kind: 'json'; readonly mediaType: string; readonly value: unknown }
  | {
      readonly kind: 'form';
      readonly mediaType: string;
      readonly fields: readonly (readonly [name: string, value: string])[];
    }
  | { readonly kind: 'parts'; readonly parts: readonly Part[] }
  | { readonly kind: 'file'; readonly mediaType: string };

export interface Part {
  readonly name: string;
  readonly isFile: boolean;
}

/** The call of `operation` on the server at `origin`. */
export function callOf(document: OpenApiDocument, operation: Operation, origin: string): Call {
  const credential = credentialOf(operation);
  const content = preferredContent(operation.requestBody?.contents ?? []);
  return {
    method: operation.method,
    address: addressOf(document, operation, origin, credential),
    headers: headersOf(document, operation),
    credential,
    body: content && bodyOf(document, content),
  };
}

/** A word in capitals that somebody has to replace. */
export function placeholder(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase();
}

/** JSON when there is a choice. */
export function preferredContent(contents: readonly Content[]): Content | undefined {
  return contents.find(({ mediaType }) => isJson(mediaType)) ?? contents[0];
}

export function isJson(mediaType: string): boolean {
  return /\bjson\b/.test(mediaType);
}

/** The example of a parameter as text, if there is one. */
export function exampleText(document: OpenApiDocument, parameter: Parameter | undefined): string | undefined {
  const schema = document.resolve(parameter?.schema)?.value;
  const value =
    parameter?.example ?? schema?.['example'] ?? schema?.['default'] ?? asList(schema?.['enum'])[0];
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return String(value);
}

function addressOf(
  document: OpenApiDocument,
  operation: Operation,
  origin: string,
  credential: Carrier | undefined,
): string {
  const valueOf = (parameter: Parameter | undefined, name: string) => {
    const example = exampleText(document, parameter);
    return example === undefined ? placeholder(name) : encodeURIComponent(example);
  };
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_braces, name: string) => {
    const parameter = operation.parameters.find((entry) => entry.place === 'path' && entry.name === name);
    return valueOf(parameter, name);
  });
  const query = operation.parameters
    .filter((parameter) => parameter.place === 'query' && parameter.required)
    .map((parameter) => `${encodeURIComponent(parameter.name)}=${valueOf(parameter, parameter.name)}`);
  if (credential?.kind === 'query') query.push(`${encodeURIComponent(credential.name)}=TOKEN`);
  return base(document, origin) + path + (query.length > 0 ? `?${query.join('&')}` : '');
}

/** The address of the server: the document may name another one, or a path on this one. */
function base(document: OpenApiDocument, origin: string): string {
  const server = asText(asObject(asList(document.root['servers'])[0])?.['url']) ?? '/';
  if (!URL.canParse(server, origin)) return origin;
  return new URL(server, origin).href.replace(/\/$/, '');
}

/** The first way to authenticate that a program can use; a cookie is only taken if nothing else will do. */
function credentialOf(operation: Operation): Carrier | undefined {
  const carriers = operation.security.alternatives.map((schemes) => schemes[0]?.carrier);
  const usable = carriers.filter((carrier) => carrier !== undefined && carrier.kind !== 'other');
  return usable.find((carrier) => carrier?.kind !== 'cookie') ?? usable[0];
}

function headersOf(document: OpenApiDocument, operation: Operation): (readonly [string, string])[] {
  return operation.parameters
    .filter((parameter) => parameter.place === 'header' && parameter.required)
    .map((parameter) => [parameter.name, exampleText(document, parameter) ?? placeholder(parameter.name)]);
}

function bodyOf(document: OpenApiDocument, content: Content): CallBody {
  const { mediaType } = content;
  if (mediaType.startsWith('multipart/')) return { kind: 'parts', parts: partsOf(document, content) };
  if (mediaType.startsWith('application/x-www-form-urlencoded')) {
    const fields = Object.entries(asObject(exampleOf(document, content, 'request')) ?? {});
    return { kind: 'form', mediaType, fields: fields.map(([name, value]) => [name, String(value)]) };
  }
  if (isJson(mediaType)) return { kind: 'json', mediaType, value: exampleOf(document, content, 'request') };
  return { kind: 'file', mediaType };
}

function partsOf(document: OpenApiDocument, content: Content): Part[] {
  const properties = asObject(document.resolve(content.schema)?.value['properties']) ?? {};
  return Object.entries(properties).map(([name, schema]) => {
    const source = document.resolve(schema)?.value;
    return { name, isFile: source?.['format'] === 'binary' || source?.['type'] === 'array' };
  });
}
