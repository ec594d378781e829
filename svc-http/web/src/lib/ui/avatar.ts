/** Avatars: up to two initials, and a hue that is derived from the name. */

export function initials(name: string): string {
  const words = name.split(/[\s_.-]+/u).filter((word) => word !== '');
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const text = letters.map((word) => [...(word ?? '')][0] ?? '').join('');
  return (text || '?').toUpperCase();
}

/** From 0 to 359. */
export function hueOf(name: string): number {
  let hash = 0;
  for (const letter of name.toLowerCase()) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % 360;
}
