/** What an agent may be called. The server checks the name; these rules are shown while typing. */

export interface NameRule {
  readonly text: string;
  readonly holds: (name: string) => boolean;
}

const LONGEST = 63;

export const NAME_RULES: readonly NameRule[] = [
  { text: `2 to ${LONGEST} characters`, holds: (name) => name.length >= 2 && name.length <= LONGEST },
  { text: 'lowercase letters a–z, digits, - and _', holds: (name) => /^[a-z0-9_-]+$/.test(name) },
  { text: 'starts with a letter or digit', holds: (name) => /^[a-z0-9]/.test(name) },
];

export function isName(name: string): boolean {
  return NAME_RULES.every(({ holds }) => holds(name));
}

/** A name made of what people would call the agent: `Code Reviewer` gives `code-reviewer`. */
export function nameFrom(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, LONGEST);
}
