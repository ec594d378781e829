/** Matching of a path against a pattern such as `/c/[channel]`. */

export type RouteParams = Readonly<Record<string, string>>;

/**
 * The parameters of `path` when `pattern` covers it. A segment in brackets takes any one segment;
 * a slash at the end makes no difference.
 */
export function matchPattern(pattern: string, path: string): RouteParams | undefined {
  const expected = segments(pattern);
  const actual = segments(path);
  if (expected.length !== actual.length) return undefined;

  const params: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const value = decode(actual[index] ?? '');
    const name = /^\[(.+)\]$/.exec(segment)?.[1];
    if (value === undefined) return undefined;
    if (name !== undefined) params[name] = value;
    else if (segment !== value) return undefined;
  }
  return params;
}

/** The URL pattern of a page's file: `./c/[channel]/page.svelte` is `/c/[channel]`. */
export function patternOfFile(file: string): string {
  return file.replace(/^\./, '').replace(/\/page\.svelte$/, '') || '/';
}

/** Orders patterns so that the first match is the most literal one. */
export function byLiteralness(left: string, right: string): number {
  // Which of two equally literal ones comes first makes no difference, but always has to be the same one.
  return count(left) - count(right) || (left < right ? -1 : 1);
}

/** A part of an address without its escapes; nothing when it has a stray percent sign. */
export function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function count(pattern: string): number {
  return segments(pattern).filter((segment) => segment.startsWith('[')).length;
}

function segments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}
