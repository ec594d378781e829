/**
 * The editor of a person in a journey: `EDITOR="node editor.mjs PLAN"`. PLAN is a JSON file with one entry for each time
 * that it is opened: `seen` is a file for the text as it was opened, `save` is a request that somebody else makes
 * meanwhile, `replace` is a pair of texts, `append` a text for the end.
 */

import { readFileSync, writeFileSync } from 'node:fs';

const [plan, file] = process.argv.slice(2);
if (!plan || !file) throw new Error('a plan and a file are needed');
const [now, ...later] = JSON.parse(readFileSync(plan, 'utf8'));
writeFileSync(plan, JSON.stringify(later));

const text = readFileSync(file, 'utf8');
if (now.seen) writeFileSync(now.seen, text);
if (now.save) {
  const { address, method, headers, body } = now.save;
  const response = await fetch(address, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${address} answered with ${response.status}: ${await response.text()}`);
}
if (now.fails) process.exit(1);
const [from, to] = now.replace ?? ['', ''];
writeFileSync(file, (now.whole ?? text.replace(from, to)) + (now.append ?? ''));
