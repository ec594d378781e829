import { describe, expect, test } from 'vitest';
import { goalActions, isEnded, taskDecisions } from './actions';
import { approvalAddress, approvalInWords, groupByGoal, keyOf } from './approvals';
import { sampleApproval as approval } from './sample';
import { costOf, entryAddress, entryInWords, remarkOf } from './timeline';
import type { GoalTaskStatus, TimelineEntry } from './types';
import {
  goalStatusInWords,
  progressInWords,
  stuckInWords,
  taskStatusInWords,
  verifierInWords,
} from './words';

describe('what can be done', () => {
  test.each([
    ['draft', ['edit', 'complete', 'stuck', 'cancel']],
    ['active', ['edit', 'complete', 'stuck', 'cancel']],
    ['stuck', ['edit', 'resume', 'complete', 'cancel']],
    ['completed', []],
    ['cancelled', []],
  ] as const)('with a goal that is %s: %o', (status, actions) => {
    expect(goalActions(status)).toEqual(actions);
    expect(isEnded(status)).toBe(actions.length === 0);
  });

  test.each<[GoalTaskStatus, readonly string[]]>([
    ['proposed', ['approve', 'cancel']],
    ['approved', ['cancel']],
    ['claimed', ['cancel']],
    ['in_progress', ['cancel']],
    ['awaiting_verification', ['verify', 'cancel']],
    ['failed', ['reopen']],
    ['done', []],
    ['cancelled', []],
  ])('with a task that is %s: %o', (status, decisions) => {
    expect(taskDecisions('active', { status })).toEqual(decisions);
    expect(taskDecisions('stuck', { status })).toEqual(decisions);
    expect(taskDecisions('completed', { status })).toEqual([]);
  });
});

describe('in words', () => {
  test('a status that a newer server has is shown as it is', () => {
    expect(goalStatusInWords('active').title).toBe('Active');
    expect(goalStatusInWords('asleep')).toEqual({ title: 'asleep', tone: 'plain' });
    expect(taskStatusInWords('half_done').title).toBe('half done');
  });

  test('a goal is stuck for a reason', () => {
    expect(stuckInWords({ status: 'active', stuck_reason: null })).toBeUndefined();
    expect(stuckInWords({ status: 'stuck', stuck_reason: 'budget' })).toMatch(/^The budget is used up/);
    expect(stuckInWords({ status: 'stuck', stuck_reason: 'No access' })).toBe('No access');
  });

  test('progress and verifiers', () => {
    expect(progressInWords({ done: 0, total: 0 })).toBe('No tasks yet');
    expect(progressInWords({ done: 1, total: 1 })).toBe('1 of 1 task done');
    expect(verifierInWords({ kind: 'peer' })).toBe('Another of your agents');
    expect(verifierInWords({ kind: 'command', by: 'ci' })).toBe('A run of @ci');
  });
});

describe('the timeline', () => {
  const at = '2026-03-01T12:00:00Z';
  test.each<[Omit<TimelineEntry, 'at'>, string]>([
    [{ kind: 'goal', by: 'ada', to: 'draft' }, '@ada created the goal'],
    [{ kind: 'goal', by: 'ada', from: 'stuck', to: 'active' }, '@ada resumed the goal'],
    [{ kind: 'goal', from: 'active', to: 'stuck' }, 'The goal is stuck'],
    [{ kind: 'tree', by: 'planner' }, '@planner proposed tasks'],
    [{ kind: 'task', by: 'bot', subject: 'Build', from: 'approved', to: 'claimed' }, '@bot claimed “Build”'],
    [
      { kind: 'task', by: 'ada', subject: 'Build', from: 'awaiting_verification', to: 'done' },
      '@ada accepted the result of “Build”',
    ],
    [
      { kind: 'task', by: 'ada', subject: 'Build', from: 'awaiting_verification', to: 'failed' },
      '@ada rejected the result of “Build”',
    ],
    [{ kind: 'task', by: 'ada', subject: 'Build', from: 'failed', to: 'approved' }, '@ada reopened “Build”'],
    [
      { kind: 'task', by: 'bot', subject: 'Build', from: 'in_progress', to: 'failed' },
      '@bot gave up on “Build”',
    ],
    [{ kind: 'task', subject: 'Build', from: 'claimed', to: 'approved' }, '“Build” is approved'],
    [
      { kind: 'spend', by: 'bot', subject: 'Build', usd: 0.5, tokens: 1200 },
      '@bot spent $0.50 and 1,200 tokens on “Build”',
    ],
    [
      { kind: 'proposal', by: 'planner', subject: 'writer', to: 'proposed' },
      '@planner proposed the agent @writer',
    ],
    [{ kind: 'proposal', by: 'ada', subject: 'writer', to: 'rejected' }, '@ada rejected the agent @writer'],
    [{ kind: 'alert', text: 'its budget is used up.' }, 'Its budget is used up.'],
    [{ kind: 'message', by: 'planner', text: 'Hello' }, '@planner wrote'],
  ])('%o', (entry, words) => {
    expect(entryInWords({ at, ...entry })).toBe(words);
  });

  test('a cost is money, tokens or both', () => {
    expect(costOf({ usd: 0.5 })).toBe('$0.50');
    expect(costOf({ usd: 0, tokens: 1 })).toBe('1 token');
    expect(costOf({})).toBe('nothing');
  });

  test('an entry leads to its message, its run or its task', () => {
    expect(entryAddress({ kind: 'message', at, message_id: 5 }, 'goal-x')).toBe('/c/goal-x?m=5');
    expect(entryAddress({ kind: 'message', at, message_id: 5 }, null)).toBeUndefined();
    expect(entryAddress({ kind: 'spend', at, run_id: 4, task_id: 2 }, 'goal-x')).toBe('/runs/4');
    expect(entryAddress({ kind: 'task', at, task_id: 2 }, 'goal-x')).toBe('?task=2');
  });

  test('an alert is not repeated beside itself', () => {
    expect(remarkOf({ kind: 'alert', at, text: 'Used up' })).toBeUndefined();
    expect(remarkOf({ kind: 'message', at, text: 'Hello' })).toBe('Hello');
    expect(remarkOf({ kind: 'goal', at, to: 'stuck', text: 'budget' })).toBe('The budget is used up.');
  });
});

describe('approvals', () => {
  const all = [
    approval({ kind: 'secret', id: 8, title: 'TOKEN', by: 'bot' }),
    approval({ goal_id: 2, goal: 'Second', id: 1 }),
    approval({ goal_id: 1, goal: 'First', id: 2 }),
    approval({ kind: 'agent', goal_id: 2, goal: 'Second', id: 1, title: 'writer', by: 'planner' }),
    approval({ goal_id: 2, goal: 'Second', id: 3 }),
  ];

  test('are grouped by goal in the order in which they wait; those without a goal come last', () => {
    const groups = groupByGoal(all);
    expect(groups.map(({ title }) => title)).toEqual(['Second', 'First', 'Without a goal']);
    expect(groups[0]?.approvals.map(({ id }) => id)).toEqual([1, 1, 3]);
    expect(groups.map(({ tasks }) => tasks)).toEqual([2, 1, 0]);
    expect(groupByGoal([])).toEqual([]);
  });

  test('have keys of their own, though their numbers are the same', () => {
    expect(new Set(all.map(keyOf)).size).toBe(all.length);
  });

  test('say what is wanted and lead to where it is decided', () => {
    expect(all.map(approvalInWords)).toEqual([
      '@bot needs the secret TOKEN',
      'Task to approve: Write it',
      'Task to approve: Write it',
      '@planner proposes the agent @writer',
      'Task to approve: Write it',
    ]);
    expect(all.map(approvalAddress)).toEqual([
      '/agents/bot',
      '/goals/2?task=1',
      '/goals/1?task=2',
      '/goals/2',
      '/goals/2?task=3',
    ]);
  });
});
