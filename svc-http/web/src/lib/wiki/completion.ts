/** Completion of `[[slug]]` while writing an article. */

export interface LinkTrigger {
  readonly query: string;
  /** Where the brackets begin. */
  readonly from: number;
  readonly to: number;
}

export interface LinkCandidate {
  readonly slug: string;
  readonly title: string;
  /** There is no such article yet. */
  readonly isNew?: boolean;
}

/** What is being linked to at the caret: two brackets that are not closed, and what follows them. */
export function linkTriggerAt(text: string, caret: number): LinkTrigger | undefined {
  const line = text.slice(Math.max(0, caret - 120), caret);
  const match = /\[\[([^[\]|\n]{0,100})$/.exec(line);
  if (!match || isInCode(text.slice(0, caret))) return undefined;
  const query = match[1] ?? '';
  return { query, from: caret - query.length - 2, to: caret };
}

/** Whether an open fence or an open backtick stands before the caret. */
function isInCode(before: string): boolean {
  if ((before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return (line.match(/`/g)?.length ?? 0) % 2 === 1;
}

/** Those that begin with the query first, then those that contain all its words. */
export function linkCandidates(
  all: readonly LinkCandidate[],
  query: string,
  most = 8,
): readonly LinkCandidate[] {
  const wanted = query.trim().toLowerCase();
  const words = wanted.split(/[\s-]+/).filter(Boolean);
  const rank = ({ slug, title }: LinkCandidate) => {
    const name = title.toLowerCase();
    if (name.startsWith(wanted) || slug.startsWith(wanted)) return 0;
    return words.every((word) => name.includes(word) || slug.includes(word)) ? 1 : 2;
  };
  const seen = new Set<string>();
  return all
    .filter(({ slug }) => !seen.has(slug) && seen.add(slug))
    .map((candidate) => ({ candidate, rank: rank(candidate) }))
    .filter(({ rank }) => rank < 2)
    .sort((left, right) => left.rank - right.rank)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** The text with the link in place, and where the caret goes. Brackets that close already are taken over. */
export function completeLink(
  text: string,
  trigger: LinkTrigger,
  slug: string,
): { text: string; caret: number } {
  const rest = text.slice(trigger.to).replace(/^\]{1,2}/, '');
  const before = `${text.slice(0, trigger.from)}[[${slug}]]`;
  return { text: before + rest, caret: before.length };
}

/** Words as the search takes them, the last one as the beginning of a word. */
export function searchWords(typed: string): string {
  const words = typed.match(/[\p{L}\p{N}]+/gu) ?? [];
  const last = words.at(-1) ?? '';
  return [...words.slice(0, -1), [...last].length >= 2 ? `${last}*` : last].join(' ');
}
