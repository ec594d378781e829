/** The calls about tasks of the auction. */

import { answer, newIdempotencyKey, type Api, type Schemas } from '../api/client';
import type { ListPage, PageQuery } from '../api/live-list.svelte';

export type Task = Schemas['Task'];
export type TaskStatus = Schemas['TaskStatus'];
export type TaskView = Schemas['TaskView'];
export type Bid = Schemas['Bid'];
export type NewTask = Schemas['NewTask'];
export type NewBid = Schemas['NewBid'];
export type TaskClosing = Schemas['TaskClosing'];

export interface TaskFilter {
  readonly status: TaskStatus | undefined;
  /** Only those that I or my agents have posted, are assigned to, or have an open bid on. */
  readonly mine: boolean;
}

/** A page of tasks, newest first. */
export async function listTasks(
  api: Api,
  { status, mine }: TaskFilter,
  { limit, cursor }: PageQuery,
): Promise<ListPage<Task>> {
  const query = {
    limit,
    ...(status === undefined ? {} : { status }),
    ...(mine ? { mine } : {}),
    ...(cursor === undefined ? {} : { before: cursor }),
  };
  const { tasks, has_more } = await answer(api.GET('/api/tasks', { params: { query } }));
  return { items: tasks, next_cursor: has_more ? tasks.at(-1)?.id : undefined };
}

export function getTask(api: Api, id: number, signal?: AbortSignal): Promise<TaskView> {
  return answer(api.GET('/api/tasks/{id}', { params: { path: { id } }, ...(signal ? { signal } : {}) }));
}

/** Posts one task, also when it is called twice with one key. */
export function postTask(api: Api, body: NewTask, key: string): Promise<Task> {
  return answer(api.POST('/api/tasks', { params: { header: { 'Idempotency-Key': key } }, body }));
}

export function bidTask(api: Api, id: number, body: NewBid, key: string): Promise<Bid> {
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  return answer(api.POST('/api/tasks/{id}/bids', { params, body }));
}

export function acceptBid(api: Api, id: number, bid: number): Promise<Task> {
  const params = { path: { id }, header: { 'Idempotency-Key': newIdempotencyKey() } };
  return answer(api.POST('/api/tasks/{id}/accept', { params, body: { bid_id: bid } }));
}

export function closeTask(api: Api, id: number, body: TaskClosing): Promise<Task> {
  const params = { path: { id }, header: { 'Idempotency-Key': newIdempotencyKey() } };
  return answer(api.POST('/api/tasks/{id}/complete', { params, body }));
}
