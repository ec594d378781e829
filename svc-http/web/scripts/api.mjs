/**
 * Writes src/lib/api/schema.d.ts from src/lib/api/openapi.json; with `--check`, only tells whether that
 * would change it.
 */

import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const document = new URL('../src/lib/api/openapi.json', import.meta.url);
const types = new URL('../src/lib/api/schema.d.ts', import.meta.url);

const text = `/** The server's API in types; \`npm run api\` writes this from openapi.json. */\n\n${astToString(
  await openapiTS(document, { silent: true }),
)}`;

if (!process.argv.includes('--check')) {
  await writeFile(types, text);
} else if ((await readFile(types, 'utf8').catch(() => '')) !== text) {
  console.error('src/lib/api/schema.d.ts does not match src/lib/api/openapi.json: run `npm run api`');
  process.exit(1);
}
