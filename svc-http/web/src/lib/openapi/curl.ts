/** A call of an operation as a line for the shell. */

import { callOf, placeholder, type Call, type CallBody } from './call';
import type { OpenApiDocument } from './document';
import type { Operation } from './operations';
import type { Carrier } from './security';

/** The line that calls `operation` on the server at `origin`, with examples filled in. */
export function curlLine(document: OpenApiDocument, operation: Operation, origin: string): string {
  return curlCode(callOf(document, operation, origin));
}

export function curlCode({ method, address, headers, credential, body }: Call): string {
  return [
    `curl ${methodOption(method, body)}${quoted(address)}`,
    ...credentialOptions(credential),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? bodyOptions(body) : []),
  ].join(' \\\n  ');
}

/** curl finds GET by itself, and POST when there is a body. */
function methodOption(method: string, body: CallBody | undefined): string {
  if (method === 'GET' || (method === 'POST' && body)) return '';
  return method === 'HEAD' ? '--head ' : `-X ${method} `;
}

/** Safe between single quotes, which the shell leaves alone. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
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

function bodyOptions(body: CallBody): string[] {
  switch (body.kind) {
    case 'json':
      return [`-H ${quoted(`Content-Type: ${body.mediaType}`)}`, `-d ${quoted(JSON.stringify(body.value))}`];
    case 'form':
      return body.fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
    case 'parts':
      return body.parts.map(
        ({ name, isFile }) => `-F ${quoted(`${name}=${isFile ? '@FILE' : placeholder(name)}`)}`,
      );
    case 'file':
      return [`-H ${quoted(`Content-Type: ${body.mediaType}`)}`, '--data-binary @FILE'];
  }
}
