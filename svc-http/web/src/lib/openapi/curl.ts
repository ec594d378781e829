/** A call of an operation as a line for the shell. */

import { asList, asObject, asText } from '../json/read';
import type { OpenApiDocument } from './document';
import { exampleOf } from './example';
import type { Content, Operation, Parameter } from './operations';
import type { Carrier } from './security';

/** The line that calls `operation` on the server at `origin`, with examples filled in. */
export function curlLine(document: OpenApiDocument, operation: Operation, origin: string): string {
  const credential = credentialOf(operation);
  const address = addressOf(document, operation, origin, credential);
  const content = preferredContent(operation.requestBody?.contents ?? []);
  return [
    `curl ${methodOption(operation.method, content)}${quoted(address)}`,
    ...credentialOptions(credential),
    ...headerOptions(document, operation),
    ...(content ? bodyOptions(document, content) : []),
  ].join(' \\\n  ');
}

/** curl finds GET by itself, and POST when there is a body. */
function methodOption(method: string, content: Content | undefined): string {
  if (method === 'GET' || (method === 'POST' && content)) return '';
  return method === 'HEAD' ? '--head ' : `-X ${method} `;
}

/** Safe between single quotes, which the shell leaves alone. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function addressOf(
  document: OpenApiDocument,
  operation: Operation,
  origin: string,
  credential: Carrier | undefined,
): string {
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_braces, name: string) => {
    const parameter = operation.parameters.find((entry) => entry.place === 'path' && entry.name === name);
    return exampleText(document, parameter) ?? placeholder(name);
  });
  const query = operation.parameters
    .filter((parameter) => parameter.place === 'query' && parameter.required)
    .map((parameter) => {
      const value = exampleText(document, parameter) ?? placeholder(parameter.name);
      return `${encodeURIComponent(parameter.name)}=${value}`;
    });
  if (credential?.kind === 'query') query.push(`${encodeURIComponent(credential.name)}=TOKEN`);
  return base(document, origin) + path + (query.length > 0 ? `?${query.join('&')}` : '');
}

/** The address of the server: the document may name another one, or a path on this one. */
function base(document: OpenApiDocument, origin: string): string {
  const server = asText(asObject(asList(document.root['servers'])[0])?.['url']) ?? '/';
  if (!URL.canParse(server, origin)) return origin;
  return new URL(server, origin).href.replace(/\/$/, '');
}

function exampleText(document: OpenApiDocument, parameter: Parameter | undefined): string | undefined {
  const schema = document.resolve(parameter?.schema)?.value;
  const value =
    parameter?.example ?? schema?.['example'] ?? schema?.['default'] ?? asList(schema?.['enum'])[0];
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return encodeURIComponent(String(value));
}

function placeholder(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase();
}

/** The first way to authenticate that a shell can use; a cookie is only taken if nothing else will do. */
function credentialOf(operation: Operation): Carrier | undefined {
  const carriers = operation.security.alternatives.map((schemes) => schemes[0]?.carrier);
  const usable = carriers.filter((carrier) => carrier !== undefined && carrier.kind !== 'other');
  return usable.find((carrier) => carrier?.kind !== 'cookie') ?? usable[0];
}

/** Double quotes here, so that the shell puts the person's own token in. */
function credentialOptions(credential: Carrier | undefined): string[] {
  switch (credential?.kind) {
    case 'bearer':
      return ['-H "Authorization: Bearer $TOKEN"'];
    case 'basic':
      return ['-u "$NAME:$PASSWORD"'];
    case 'header':
      return [`-H "${credential.name}: $TOKEN"`];
    case 'cookie':
      return [`-b "${credential.name}=$TOKEN"`];
    default:
      return [];
  }
}

function headerOptions(document: OpenApiDocument, operation: Operation): string[] {
  return operation.parameters
    .filter((parameter) => parameter.place === 'header' && parameter.required)
    .map((parameter) => {
      const value = exampleText(document, parameter);
      const text = value === undefined ? placeholder(parameter.name) : decodeURIComponent(value);
      return `-H ${quoted(`${parameter.name}: ${text}`)}`;
    });
}

function preferredContent(contents: readonly Content[]): Content | undefined {
  return contents.find(({ mediaType }) => /\bjson\b/.test(mediaType)) ?? contents[0];
}

function bodyOptions(document: OpenApiDocument, content: Content): string[] {
  const { mediaType } = content;
  const fields = Object.entries(asObject(exampleOf(document, content, 'request')) ?? {});
  if (mediaType.startsWith('multipart/')) return partOptions(document, content);
  if (mediaType.startsWith('application/x-www-form-urlencoded')) {
    return fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${String(value)}`)}`);
  }
  const type = `-H ${quoted(`Content-Type: ${mediaType}`)}`;
  if (/\bjson\b/.test(mediaType))
    return [type, `-d ${quoted(JSON.stringify(exampleOf(document, content, 'request')))}`];
  return [type, '--data-binary @FILE'];
}

function partOptions(document: OpenApiDocument, content: Content): string[] {
  const properties = asObject(document.resolve(content.schema)?.value['properties']) ?? {};
  return Object.entries(properties).map(([name, schema]) => {
    const source = document.resolve(schema)?.value;
    const isFile = source?.['format'] === 'binary' || source?.['type'] === 'array';
    return `-F ${quoted(`${name}=${isFile ? '@FILE' : placeholder(name)}`)}`;
  });
}
