/** Skills: longer instructions that agents load when they need them. */

import type { Schemas } from '../api/client';

export type Skill = Schemas['SkillSummary'];

/** The text without its head of name and description, which the page shows already. */
export function withoutHead(markdown: string): string {
  return markdown.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n+/, '');
}
