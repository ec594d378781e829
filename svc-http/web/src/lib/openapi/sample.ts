/** Documents for tests: only what a test is about needs to be written there. */

import { OpenApiDocument } from './document';
import { readGroups, type Operation } from './operations';

interface Parts {
  readonly paths?: Record<string, unknown>;
  readonly schemas?: Record<string, unknown>;
  readonly [key: string]: unknown;
}

export function documentWith({ paths = {}, schemas = {}, ...rest }: Parts): OpenApiDocument {
  const source = { openapi: '3.0.3', info: { title: 'Sample' }, paths, components: { schemas }, ...rest };
  const document = OpenApiDocument.read(source);
  if (!document) throw new Error('the sample is not a document');
  return document;
}

export function onlyOperation(document: OpenApiDocument): Operation {
  const operations = readGroups(document).flatMap((group) => group.operations);
  if (operations.length !== 1 || !operations[0]) throw new Error(`${operations.length} operations`);
  return operations[0];
}
