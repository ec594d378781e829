/** Reputation, budgets and loops in words. */

import type { Schemas } from '../api/client';
import { countOf, moneyOf } from '../runs/words';

export type BudgetUse = Schemas['BudgetUse'];
export type Reputation = Schemas['Reputation'];
export type Loop = Schemas['Loop'];
export type Period = Schemas['Period'];

/** What a budget limits, as one shape for money and counts. */
export interface Use {
  readonly limit?: number | null | undefined;
  readonly spent: number;
  readonly reserved: number;
  readonly forecast?: number | null | undefined;
}

export type Resource = 'usd' | 'tokens' | 'runs';

export const RESOURCES: readonly { value: Resource; title: string }[] = [
  { value: 'usd', title: 'Cost' },
  { value: 'tokens', title: 'Tokens' },
  { value: 'runs', title: 'Runs' },
];

export const PERIODS: readonly { value: Period; title: string }[] = [
  { value: 'day', title: 'Per day' },
  { value: 'month', title: 'Per month' },
  { value: 'total', title: 'In total' },
];

export function amountOf(resource: Resource, amount: number): string {
  return resource === 'usd' ? moneyOf(amount) : countOf(amount);
}

/** What is used of a limit, 0 to 1 and beyond; nothing without a limit. */
export function shareOf({ limit, spent, reserved }: Use): number | undefined {
  if (limit == null) return undefined;
  if (limit === 0) return 1;
  return (spent + reserved) / limit;
}

export function toneOf(share: number): 'good' | 'warn' | 'bad' {
  if (share >= 1) return 'bad';
  return share >= 0.8 ? 'warn' : 'good';
}

/** Whether there is something to draw. */
export function isUsed({ limit, spent, reserved }: Use): boolean {
  return limit != null || spent > 0 || reserved > 0;
}

/** The use of a resource in a sentence. */
export function useInWords(resource: Resource, use: Use): string {
  const spent = amountOf(resource, use.spent);
  const limit = use.limit == null ? '' : ` of ${amountOf(resource, use.limit)}`;
  const reserved = use.reserved > 0 ? `, ${amountOf(resource, use.reserved)} reserved` : '';
  return `${spent}${limit} used${reserved}`;
}

/** The forecast in a sentence; nothing when there is none. */
export function forecastInWords(resource: Resource, use: Use): string | undefined {
  if (use.forecast == null) return undefined;
  const end = `Forecast for the end of the period: ${amountOf(resource, use.forecast)}`;
  if (use.limit == null) return `${end}.`;
  return use.forecast > use.limit ? `${end}, above the limit.` : `${end}, within the limit.`;
}

/** What was seen, beside the names of the agents. */
export function signInWords({ kind, count }: Pick<Loop, 'kind' | 'count'>): string {
  if (kind === 'exchange') return `${count} answers to each other without a human`;
  if (kind === 'repetition') return `${count} messages with the same words`;
  if (kind === 'flood') return `${count} messages in a minute in one conversation`;
  return kind;
}

/** What was seen, in a sentence. */
export function loopInWords({ kind, agent, other, count }: Loop): string {
  const both = other ? `@${agent} and @${other}` : `@${agent}`;
  if (kind === 'exchange') return `${both} answered each other ${count} times without a human.`;
  if (kind === 'repetition')
    return `${both} repeated the same words: ${count} messages were almost the same.`;
  if (kind === 'flood') return `@${agent} sent ${count} messages in a minute in one conversation.`;
  return `${both}: ${kind}.`;
}

export function liftedInWords({ lifted_by }: Pick<Loop, 'lifted_by'>): string {
  return lifted_by ? `lifted by @${lifted_by}` : 'lifted automatically';
}

const ENTRIES: Readonly<Record<string, readonly [success: string, failure: string]>> = {
  run: ['Run succeeded', 'Run failed'],
  task: ['Task verified', 'Task failed'],
  judgement: ['Message approved', 'Message rejected'],
};

export function entryInWords({ kind, value }: Pick<Schemas['ReputationEntry'], 'kind' | 'value'>): string {
  return ENTRIES[kind]?.[value > 0 ? 0 : 1] ?? kind;
}
