/** The calls about goals, each with the types of its answer. */

import { answer, newIdempotencyKey, type Api } from '../api/client';
import type {
  ApprovalList,
  DecisionNote,
  Goal,
  GoalChanges,
  GoalCompletion,
  GoalDetail,
  GoalPage,
  GoalStatus,
  GoalTask,
  NewGoal,
  Proposal,
  SecretRequest,
  SecretRequestPage,
  SecretRequestStatus,
  TaskVerdict,
} from './types';

export function listGoals(
  api: Api,
  query: { status?: GoalStatus | undefined; cursor?: string | undefined; limit?: number },
): Promise<GoalPage> {
  return answer(api.GET('/api/goals', { params: { query } }));
}

/** Creates one goal, also when it is called twice with one key. */
export function createGoal(api: Api, body: NewGoal, key: string = newIdempotencyKey()): Promise<Goal> {
  return answer(api.POST('/api/goals', { params: { header: { 'Idempotency-Key': key } }, body }));
}

export function getGoal(api: Api, id: number, signal?: AbortSignal): Promise<GoalDetail> {
  return answer(api.GET('/api/goals/{id}', { params: { path: { id } }, ...(signal ? { signal } : {}) }));
}

export function changeGoal(api: Api, id: number, body: GoalChanges): Promise<Goal> {
  return answer(api.PATCH('/api/goals/{id}', { params: { path: { id } }, body }));
}

export function completeGoal(api: Api, id: number, body: GoalCompletion): Promise<Goal> {
  return answer(api.POST('/api/goals/{id}/complete', { params: { path: { id } }, body }));
}

/** Approves all tasks of a goal that are proposed. */
export function approveAllTasks(api: Api, id: number): Promise<Goal> {
  return answer(api.POST('/api/goals/{id}/approve', { params: { path: { id } } }));
}

export function approveTask(api: Api, id: number, task: number): Promise<GoalTask> {
  return answer(api.POST('/api/goals/{id}/tasks/{task}/approve', { params: { path: { id, task } } }));
}

export function verifyTask(api: Api, id: number, task: number, body: TaskVerdict): Promise<GoalTask> {
  return answer(api.POST('/api/goals/{id}/tasks/{task}/verify', { params: { path: { id, task } }, body }));
}

export function reopenTask(api: Api, id: number, task: number, body: DecisionNote): Promise<GoalTask> {
  return answer(api.POST('/api/goals/{id}/tasks/{task}/reopen', { params: { path: { id, task } }, body }));
}

export function cancelTask(api: Api, id: number, task: number, body: DecisionNote): Promise<GoalTask> {
  return answer(api.POST('/api/goals/{id}/tasks/{task}/cancel', { params: { path: { id, task } }, body }));
}

export function approveProposal(api: Api, id: number, number: number): Promise<Proposal> {
  const params = { path: { id, number } };
  return answer(api.POST('/api/goals/{id}/proposals/{number}/approve', { params }));
}

export function rejectProposal(api: Api, id: number, number: number, body: DecisionNote): Promise<Proposal> {
  const params = { path: { id, number } };
  return answer(api.POST('/api/goals/{id}/proposals/{number}/reject', { params, body }));
}

export function listApprovals(api: Api, signal: AbortSignal): Promise<ApprovalList> {
  return answer(api.GET('/api/approvals', { signal }));
}

export function listSecretRequests(
  api: Api,
  query: { status?: SecretRequestStatus; limit?: number },
  signal?: AbortSignal,
): Promise<SecretRequestPage> {
  return answer(api.GET('/api/secret-requests', { params: { query }, ...(signal ? { signal } : {}) }));
}

export function provideSecret(api: Api, id: number, value: string): Promise<SecretRequest> {
  return answer(api.POST('/api/secret-requests/{id}/provide', { params: { path: { id } }, body: { value } }));
}

export function rejectSecret(api: Api, id: number, body: DecisionNote): Promise<SecretRequest> {
  return answer(api.POST('/api/secret-requests/{id}/reject', { params: { path: { id } }, body }));
}
