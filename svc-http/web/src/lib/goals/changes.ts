/** The changes of a goal that a form asks for. */

import { budgetOf, isSameBudget } from './spend';
import type { Autonomy, Goal, GoalChanges } from './types';

export interface GoalForm {
  readonly title: string;
  readonly description: string;
  /** Empty for none. */
  readonly coordinator: string;
  readonly usd: unknown;
  readonly tokens: unknown;
  readonly autonomy: Autonomy;
}

/** Only what differs. An empty budget removes all limits, an empty coordinator removes the coordinator. */
export function changesOf(
  goal: Pick<Goal, 'title' | 'description' | 'coordinator' | 'budget' | 'autonomy'>,
  form: GoalForm,
): GoalChanges {
  const budget = budgetOf(form.usd, form.tokens);
  return {
    ...(form.title.trim() === goal.title ? {} : { title: form.title.trim() }),
    ...(form.description === goal.description ? {} : { description: form.description }),
    ...(form.coordinator === (goal.coordinator ?? '') ? {} : { coordinator: form.coordinator }),
    ...(isSameBudget(budget, goal.budget) ? {} : { budget }),
    ...(form.autonomy === goal.autonomy ? {} : { autonomy: form.autonomy }),
  };
}
