/** The use of a budget: shares, colours, words. */

import { shareOf, toneOf } from '../governance/words';
import { countOf, moneyOf } from '../runs/words';
import type { GoalBudget, Spent } from './types';

export interface SpendLine {
  readonly resource: 'usd' | 'tokens';
  /** `$1.20 of $5.00`, `1,204 tokens` */
  readonly text: string;
  /** The used share, 0 to 1 and beyond; nothing without a limit. */
  readonly share: number | undefined;
  /** `24 %` */
  readonly percent: string | undefined;
  readonly tone: 'good' | 'warn' | 'bad' | undefined;
}

/** The part that is used, in whole percent. It says 100 only when everything is used. */
export function percentOf(share: number): string {
  const percent = share >= 1 ? Math.round(share * 100) : Math.min(99, Math.round(share * 100));
  return `${countOf(percent)} %`;
}

function lineOf(resource: 'usd' | 'tokens', spent: number, limit: number | null | undefined): SpendLine {
  const share = shareOf({ limit, spent, reserved: 0 });
  const figure = resource === 'usd' ? moneyOf : countOf;
  const amount = limit == null ? figure(spent) : `${figure(spent)} of ${figure(limit)}`;
  return {
    resource,
    text: resource === 'usd' ? amount : `${amount} ${spent === 1 && limit == null ? 'token' : 'tokens'}`,
    share,
    percent: share === undefined ? undefined : percentOf(share),
    tone: share === undefined ? undefined : toneOf(share),
  };
}

/** A line for each of money and tokens. Tokens are left out when there are none and no limit. */
export function spendLines(spent: Spent, budget: GoalBudget): readonly SpendLine[] {
  const lines = [lineOf('usd', spent.usd, budget.usd)];
  if (budget.tokens != null || spent.tokens > 0) lines.push(lineOf('tokens', spent.tokens, budget.tokens));
  return lines;
}

/** The line of the limit that is used most; nothing without limits. */
export function tightest(spent: Spent, budget: GoalBudget): SpendLine | undefined {
  const limited = spendLines(spent, budget).filter(({ share }) => share !== undefined);
  return limited.sort((one, other) => (other.share ?? 0) - (one.share ?? 0))[0];
}

/** `$1.20 of $5.00, 1,204 tokens` */
export function spendInWords(spent: Spent, budget: GoalBudget): string {
  return spendLines(spent, budget)
    .map(({ text }) => text)
    .join(', ');
}

/** The limits that a form asks for. An empty field is no limit; inputs of numbers bind numbers, or nothing. */
export function budgetOf(usd: unknown, tokens: unknown): GoalBudget {
  const typed = (value: unknown) => String(value ?? '').trim();
  return {
    ...(typed(usd) === '' ? {} : { usd: Number(typed(usd)) }),
    ...(typed(tokens) === '' ? {} : { tokens: Number(typed(tokens)) }),
  };
}

/** Whether two budgets have the same limits. */
export function isSameBudget(one: GoalBudget, other: GoalBudget): boolean {
  return (one.usd ?? null) === (other.usd ?? null) && (one.tokens ?? null) === (other.tokens ?? null);
}
