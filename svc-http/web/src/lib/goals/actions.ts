/** The actions of the owner on a goal and its tasks, by their status. */

import type { GoalStatus, GoalTask } from './types';

export type GoalAction = 'edit' | 'complete' | 'stuck' | 'resume' | 'cancel';
export type TaskDecision = 'approve' | 'verify' | 'reopen' | 'cancel';

/** Whether a goal never changes its status again. */
export function isEnded(status: string): boolean {
  return status === 'completed' || status === 'cancelled';
}

export function goalActions(status: GoalStatus): readonly GoalAction[] {
  switch (status) {
    case 'draft':
    case 'active':
      return ['edit', 'complete', 'stuck', 'cancel'];
    case 'stuck':
      return ['edit', 'resume', 'complete', 'cancel'];
    default:
      return [];
  }
}

export function taskDecisions(
  goal: GoalStatus,
  { status }: Pick<GoalTask, 'status'>,
): readonly TaskDecision[] {
  if (isEnded(goal)) return [];
  switch (status) {
    case 'proposed':
      return ['approve', 'cancel'];
    case 'awaiting_verification':
      // The owner may decide also in place of another verifier.
      return ['verify', 'cancel'];
    case 'approved':
    case 'claimed':
    case 'in_progress':
      return ['cancel'];
    case 'failed':
      return ['reopen'];
    default:
      return [];
  }
}
