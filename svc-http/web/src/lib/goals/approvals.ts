/** Approvals by goal, in words, with the address where each is decided. */

import type { Approval } from './types';

export interface ApprovalGroup {
  /** Nothing for requests that belong to no goal. */
  readonly goalId: number | undefined;
  readonly title: string;
  readonly approvals: readonly Approval[];
  /** The number of tasks among them. */
  readonly tasks: number;
}

/** By goal, in the order in which the first of each has been waiting. What belongs to no goal comes last. */
export function groupByGoal(approvals: readonly Approval[]): readonly ApprovalGroup[] {
  const groups = new Map<number | undefined, Approval[]>();
  for (const approval of approvals) {
    const goal = approval.goal_id ?? undefined;
    const group = groups.get(goal);
    if (group) group.push(approval);
    else groups.set(goal, [approval]);
  }
  return [...groups]
    .map(([goalId, members]) => ({
      goalId,
      title: goalId === undefined ? 'Without a goal' : members[0]?.goal || `Goal ${goalId}`,
      approvals: members,
      tasks: members.filter(({ kind }) => kind === 'task').length,
    }))
    .sort((one, other) => Number(one.goalId === undefined) - Number(other.goalId === undefined));
}

/** Identifies an approval among all of them. */
export function keyOf({ kind, goal_id, id }: Pick<Approval, 'kind' | 'goal_id' | 'id'>): string {
  return `${kind}-${goal_id ?? ''}-${id}`;
}

export function approvalInWords({ kind, title, by }: Approval): string {
  const agent = by ? `@${by}` : 'An agent';
  if (kind === 'task') return `Task to approve: ${title}`;
  if (kind === 'verification') return `Result to verify: ${title}`;
  if (kind === 'agent') return `${agent} proposes the agent @${title}`;
  if (kind === 'secret') return `${agent} needs the secret ${title}`;
  return title;
}

/** The page on which there is everything about it. */
export function approvalAddress({ kind, goal_id, id, by }: Approval): string {
  if (goal_id == null) return by ? `/agents/${encodeURIComponent(by)}` : '/goals';
  return kind === 'task' || kind === 'verification' ? `/goals/${goal_id}?task=${id}` : `/goals/${goal_id}`;
}
