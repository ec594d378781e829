/** Walks through `tools.json`, the table of all tools that every client goes by. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** @typedef {{ tool: string, as: string, arguments: object, expect: Record<string, unknown>, keep?: Record<string, string> }} Step */

/** @type {Step[]} */
export const steps = JSON.parse(readFileSync(new URL('../tools.json', import.meta.url), 'utf8'));

/**
 * What stands at `messages.0.id`.
 * @param {any} value @param {string} path
 */
const at = (value, path) => path.split('.').reduce((found, key) => found?.[key], value);

/**
 * The same with what `$name` stands for.
 * @param {any} value @param {Record<string, unknown>} kept @returns {any}
 */
function filled(value, kept) {
  if (typeof value === 'string') {
    const whole = /^\$([a-z]+)$/.exec(value)?.[1];
    if (whole !== undefined) return kept[whole];
    return value.replace(/\$([a-z]+)/g, (_, name) => String(kept[name]));
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, kept));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, kept)]));
}

/**
 * Calls every tool, each as one of two agents.
 * @param {Record<string, { name: string, call: (tool: string, args: object) => Promise<any> }>} agents `one` and `two`
 */
export async function walk(agents) {
  /** @type {Record<string, unknown>} */
  const kept = { one: agents.one.name, two: agents.two.name, room: `room-${randomUUID().slice(0, 8)}` };
  for (const step of steps) {
    const result = await agents[step.as].call(step.tool, filled(step.arguments, kept));
    const shown = `${step.tool}: ${JSON.stringify(result)}`;
    assert.equal(result.isError ?? false, step.refused ?? false, shown);
    if (step.refused) continue;
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, shown);
    for (const [path, wanted] of Object.entries(step.expect)) {
      assert.deepEqual(at(result.structuredContent, path), filled(wanted, kept), `${path} in ${shown}`);
    }
    for (const [name, path] of Object.entries(step.keep ?? {})) {
      kept[name] = at(result.structuredContent, path);
      assert.ok(kept[name] !== undefined, `${path} in ${shown}`);
    }
  }
}
