/** Budgets of agents that are nearly or wholly used. */

import { RESOURCES, shareOf, useInWords, type BudgetUse } from '../governance/words';

/** From this share of a limit on, the person is told. */
const NEAR = 0.8;

export interface BudgetAlert {
  readonly agent: string;
  readonly title: string;
  readonly text: string;
}

/** What to tell of a budget: the limit of which most is used, once that is near. A paused agent is told of elsewhere. */
export function alertOf(use: BudgetUse): BudgetAlert | undefined {
  if (use.paused_at != null) return undefined;
  const shares = RESOURCES.map(({ value }) => ({ value, share: shareOf(use[value]) ?? 0 }));
  const most = shares.reduce((one, other) => (other.share > one.share ? other : one));
  if (most.share < NEAR) return undefined;
  const title = most.share >= 1 ? 'has used its budget' : 'comes near its budget';
  return { agent: use.agent, title: `@${use.agent} ${title}`, text: useInWords(most.value, use[most.value]) };
}
