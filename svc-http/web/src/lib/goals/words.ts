/** Goals and their tasks in words. */

import type { Tone } from '../runs/words';
import type { Autonomy, Goal, GoalStatus, GoalTaskStatus, TaskCounts, Verifier } from './types';

export type { Tone };

export const GOAL_STATUSES: readonly { value: GoalStatus; title: string; tone: Tone }[] = [
  { value: 'draft', title: 'Draft', tone: 'plain' },
  { value: 'active', title: 'Active', tone: 'accent' },
  { value: 'stuck', title: 'Stuck', tone: 'bad' },
  { value: 'completed', title: 'Completed', tone: 'good' },
  { value: 'cancelled', title: 'Cancelled', tone: 'plain' },
];

const TASK_STATUSES: Readonly<Record<GoalTaskStatus, { title: string; tone: Tone }>> = {
  proposed: { title: 'Proposed', tone: 'warn' },
  approved: { title: 'Approved', tone: 'plain' },
  claimed: { title: 'Claimed', tone: 'accent' },
  in_progress: { title: 'In progress', tone: 'accent' },
  awaiting_verification: { title: 'To verify', tone: 'warn' },
  done: { title: 'Done', tone: 'good' },
  failed: { title: 'Failed', tone: 'bad' },
  cancelled: { title: 'Cancelled', tone: 'plain' },
};

export const AUTONOMIES: readonly { value: Autonomy; title: string; text: string }[] = [
  { value: 'supervised', title: 'Supervised', text: 'You approve tasks before agents can claim them.' },
  { value: 'autonomous', title: 'Autonomous', text: 'Agents can claim tasks as soon as they are proposed.' },
];

/** A status that a newer server has is shown as it is. */
export function goalStatusInWords(status: string): { title: string; tone: Tone } {
  return GOAL_STATUSES.find(({ value }) => value === status) ?? { title: status, tone: 'plain' };
}

export function taskStatusInWords(status: string): { title: string; tone: Tone } {
  const known: Readonly<Record<string, { title: string; tone: Tone }>> = TASK_STATUSES;
  return known[status] ?? { title: status.replaceAll('_', ' '), tone: 'plain' };
}

export function autonomyInWords(autonomy: string): string {
  return AUTONOMIES.find(({ value }) => value === autonomy)?.title ?? autonomy;
}

/** Why a goal does not go on, and what to do about it. */
export function stuckInWords({
  status,
  stuck_reason,
}: Pick<Goal, 'status' | 'stuck_reason'>): string | undefined {
  if (status !== 'stuck') return undefined;
  if (stuck_reason === 'budget') return 'The budget is used up. Raise it to go on.';
  return stuck_reason || 'No reason was given.';
}

/** `3 of 8 tasks done` */
export function progressInWords({ done, total }: Pick<TaskCounts, 'done' | 'total'>): string {
  if (total === 0) return 'No tasks yet';
  return `${done} of ${total} ${total === 1 ? 'task' : 'tasks'} done`;
}

/** Who decides whether the result of a task is accepted. */
export function verifierInWords({ kind, by }: Verifier): string {
  if (kind === 'none') return 'Nobody: the task is done when it is submitted';
  if (kind === 'human') return 'You';
  if (kind === 'peer') return by ? `@${by}` : 'Another of your agents';
  if (kind === 'command') return by ? `A run of @${by}` : 'A run of an agent';
  return by ? `@${by}` : kind;
}

export function counted(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}
