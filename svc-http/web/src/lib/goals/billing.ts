/** The cost by billing code, as bars. */

import type { BillingLine } from './types';

export interface BillingBar {
  readonly code: string | undefined;
  readonly usd: number;
  readonly tokens: number;
  /** The part of the whole cost, 0 to 1; nothing when nothing was spent. */
  readonly share: number | undefined;
  /** The length of the bar, 0 to 1; the longest is 1. Without money, tokens count. */
  readonly length: number;
}

export function barsOf(billing: readonly BillingLine[]): readonly BillingBar[] {
  const hasMoney = billing.some(({ usd }) => usd > 0);
  const amount = ({ usd, tokens }: BillingLine) => (hasMoney ? usd : tokens);
  const most = Math.max(0, ...billing.map(amount));
  const sum = billing.reduce((all, line) => all + amount(line), 0);
  return billing.map((line) => ({
    code: line.code ?? undefined,
    usd: line.usd,
    tokens: line.tokens,
    share: sum > 0 ? amount(line) / sum : undefined,
    length: most > 0 ? amount(line) / most : 0,
  }));
}
