/** Handles of people and agents, as they are typed. */

/** Those that are there with those in a text, each once. Commas and spaces stand between them. */
export function withHandles(handles: readonly string[], typed: string): string[] {
  const more = typed
    .split(/[\s,]+/)
    .map((handle) => handle.replace(/^@/, '').toLowerCase())
    .filter(Boolean);
  return [...new Set([...handles, ...more])];
}
