/** What an operation asks of its caller, from `security` and the document's schemes. */

import { asList, asObject, asText } from '../json/read';
import type { OpenApiDocument } from './document';

export interface SecurityScheme {
  readonly name: string;
  /** In words: `Bearer token`, `API key in the header X-Key`. */
  readonly title: string;
  readonly description: string | undefined;
  readonly scopes: readonly string[];
  /** How the credential travels, for the example of a call. */
  readonly carrier: Carrier;
}

export type Carrier =
  | { readonly kind: 'bearer' }
  | { readonly kind: 'basic' }
  | { readonly kind: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly kind: 'other' };

export interface Security {
  /** Any one of these will do; the schemes within one are needed together. */
  readonly alternatives: readonly (readonly SecurityScheme[])[];
  readonly need: 'none' | 'optional' | 'required';
}

/** Reads a list of requirements. An empty one among others makes authentication optional. */
export function readSecurity(document: OpenApiDocument, requirements: unknown): Security {
  const alternatives = asList(requirements).map((requirement) =>
    Object.entries(asObject(requirement) ?? {}).map(([name, scopes]) => readScheme(document, name, scopes)),
  );
  const real = alternatives.filter((schemes) => schemes.length > 0);
  if (real.length === 0) return { alternatives: [], need: 'none' };
  return { alternatives: real, need: real.length < alternatives.length ? 'optional' : 'required' };
}

function readScheme(document: OpenApiDocument, name: string, scopes: unknown): SecurityScheme {
  const schemes = asObject(asObject(document.root['components'])?.['securitySchemes']);
  const source = document.resolve(schemes?.[name])?.value ?? {};
  const carrier = readCarrier(source);
  return {
    name,
    title: titleOf(asText(source['type']), carrier) ?? name,
    description: asText(source['description']),
    scopes: asList(scopes).flatMap((scope) => asText(scope) ?? []),
    carrier,
  };
}

function readCarrier(source: Readonly<Record<string, unknown>>): Carrier {
  const type = asText(source['type']);
  if (type === 'oauth2' || type === 'openIdConnect') return { kind: 'bearer' };
  if (type === 'http') {
    const scheme = asText(source['scheme'])?.toLowerCase();
    return scheme === 'bearer' || scheme === 'basic' ? { kind: scheme } : { kind: 'other' };
  }
  const name = asText(source['name']);
  const place = asText(source['in']);
  if (type === 'apiKey' && name !== undefined) {
    if (place === 'header' || place === 'query' || place === 'cookie') return { kind: place, name };
  }
  return { kind: 'other' };
}

function titleOf(type: string | undefined, carrier: Carrier): string | undefined {
  switch (carrier.kind) {
    case 'bearer':
      return type === 'http' ? 'Bearer token' : 'OAuth 2 access token';
    case 'basic':
      return 'Username and password';
    case 'header':
      return `API key in header ${carrier.name}`;
    case 'query':
      return `API key in query parameter ${carrier.name}`;
    case 'cookie':
      return `Session cookie ${carrier.name}`;
    case 'other':
      return undefined;
  }
}
