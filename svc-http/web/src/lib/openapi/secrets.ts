/** Secrets in what the API takes and answers. The page shows none, and asks for none. */

import { asList, asObject, asText } from '../json/read';
import type { OpenApiDocument } from './document';
import type { Operation, Schema } from './operations';

/** Nesting beyond this is not looked into. */
const DEEPEST = 8;
/** Fields of requests that hold a password, a code or another secret. */
const ENTERED = /password|^(secret|invite|reset|value)$/;
/** The server describes what it shows once by these words. */
const SHOWN_ONCE = /shown only once/i;

/** Keys, tokens and codes of this hub, and secrets of webhooks. */
const SECRET = /\b(svc[a-z]_|whsec_)[A-Za-z0-9+/_=-]{6,}/g;

/** A text in which secrets are replaced by the beginning that tells their kind. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(SECRET, '$1… (hidden)');
}

/** Whether somebody would have to enter a secret. */
export function takesSecret(document: OpenApiDocument, operation: Operation): boolean {
  const contents = operation.requestBody?.contents ?? [];
  return contents.some(({ schema }) => someField(document, schema, (name) => ENTERED.test(name)));
}

/** Whether a success answers with a secret. */
export function givesSecret(document: OpenApiDocument, operation: Operation): boolean {
  const isOnce = (_name: string, description: string | undefined) => SHOWN_ONCE.test(description ?? '');
  return operation.responses
    .filter(({ status }) => status.startsWith('2'))
    .some(({ contents }) => contents.some(({ schema }) => someField(document, schema, isOnce)));
}

function someField(
  document: OpenApiDocument,
  schema: Schema,
  matches: (name: string, description: string | undefined) => boolean,
  above: readonly unknown[] = [],
): boolean {
  const source = document.resolve(schema)?.value;
  if (!source || above.includes(source) || above.length > DEEPEST) return false;
  const here = [...above, source];
  const fields = Object.entries(asObject(source['properties']) ?? {});
  const isHere = fields.some(([name, field]) => {
    const description = asText(asObject(field)?.['description']);
    return matches(name, description) || someField(document, field, matches, here);
  });
  const inside = [
    source['items'],
    ...asList(source['allOf']),
    ...asList(source['oneOf']),
    ...asList(source['anyOf']),
  ];
  return isHere || inside.some((inner) => someField(document, inner, matches, here));
}
