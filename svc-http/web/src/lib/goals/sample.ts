/** Goals and tasks for tests. */

import type { Approval, Goal, GoalDetail, GoalTask } from './types';

export function sampleTask(id: number, more: Partial<GoalTask> = {}): GoalTask {
  return {
    id,
    title: `Task ${id}`,
    description: '',
    acceptance_criteria: '',
    status: 'approved',
    depends_on: [],
    blocked_by: [],
    budget: {},
    spent: { usd: 0, tokens: 0 },
    verifier: { kind: 'none' },
    created_at: '2026-03-01T12:00:00Z',
    updated_at: '2026-03-01T12:00:00Z',
    children: [],
    ...more,
  };
}

export function sampleGoal(id: number, more: Partial<Goal> = {}): Goal {
  return {
    id,
    slug: `goal-${id}`,
    title: `Goal ${id}`,
    description: '',
    status: 'active',
    owner: 'ada',
    autonomy: 'supervised',
    budget: {},
    spent: { usd: 0, tokens: 0 },
    task_counts: { total: 0, proposed: 0, active: 0, verifying: 0, done: 0, failed: 0 },
    max_spawn_depth: 3,
    created_at: '2026-03-01T12:00:00Z',
    updated_at: '2026-03-01T12:00:00Z',
    ...more,
  };
}

export function sampleDetail(id: number, more: Partial<GoalDetail> = {}): GoalDetail {
  return {
    ...sampleGoal(id),
    tasks: [],
    rollup: [],
    billing: [],
    spawned_agents: [],
    proposals: [],
    timeline: [],
    timeline_truncated: false,
    ...more,
  };
}

export function sampleApproval(more: Partial<Approval>): Approval {
  return { kind: 'task', id: 1, title: 'Write it', text: '', since: '2026-03-01T12:00:00Z', ...more };
}
