/** A call of an operation in TypeScript, for Node and other programs with `fetch`. */

import { placeholder, type Call, type CallBody } from './call';
import type { Carrier } from './security';

export function typescriptCode({ method, address, headers, credential, body }: Call): string {
  const fields = headers.map(([name, value]) => `${key(name)}: ${JSON.stringify(value)},`);
  const authorization = credentialLine(credential);
  if (authorization !== undefined) fields.unshift(authorization);
  // A form brings its own type.
  if (body?.kind === 'json' || body?.kind === 'file')
    fields.push(`"Content-Type": ${JSON.stringify(body.mediaType)},`);
  const options = [
    ...(method === 'GET' ? [] : [`method: ${JSON.stringify(method)},`]),
    ...(fields.length > 0 ? ['headers: {', ...fields.map((line) => `  ${line}`), '},'] : []),
    ...(body ? [`body: ${data(body)},`] : []),
  ];
  const needsFile =
    body?.kind === 'file' || (body?.kind === 'parts' && body.parts.some(({ isFile }) => isFile));
  const target = JSON.stringify(address);
  return [
    ...(needsFile ? ['import { openAsBlob } from "node:fs";', ''] : []),
    ...(body?.kind === 'parts' ? partLines(body) : []),
    ...(options.length === 0
      ? [`const response = await fetch(${target});`]
      : [`const response = await fetch(${target}, {`, ...options.map((line) => `  ${line}`), '});']),
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function credentialLine(credential: Carrier | undefined): string | undefined {
  switch (credential?.kind) {
    case 'bearer':
      return 'Authorization: `Bearer ${process.env.TOKEN}`,';
    case 'basic':
      return 'Authorization: `Basic ${btoa(`${process.env.NAME}:${process.env.PASSWORD}`)}`,';
    case 'header':
      return `${key(credential.name)}: process.env.TOKEN ?? "",`;
    case 'cookie':
      return `Cookie: \`${credential.name}=\${process.env.TOKEN}\`,`;
    default:
      return undefined;
  }
}

function data(body: CallBody): string {
  switch (body.kind) {
    case 'json':
      return `JSON.stringify(${indented(body.value)})`;
    case 'form':
      return `new URLSearchParams(${indented(Object.fromEntries(body.fields))})`;
    case 'parts':
      return 'form';
    case 'file':
      return 'await openAsBlob("FILE")';
  }
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}

function partLines({ parts }: Extract<CallBody, { kind: 'parts' }>): string[] {
  const lines = parts.map(({ name, isFile }) =>
    isFile
      ? `form.append(${JSON.stringify(name)}, await openAsBlob("FILE"), "FILE");`
      : `form.append(${JSON.stringify(name)}, ${JSON.stringify(placeholder(name))});`,
  );
  return ['const form = new FormData();', ...lines];
}
