/** Tasks and bids in words. */

import type { Tone } from '../runs/words';
import type { Bid, Task, TaskFilter, TaskStatus } from './api';

export const STATUSES: readonly { value: TaskStatus; title: string; tone: Tone }[] = [
  { value: 'open', title: 'Open', tone: 'accent' },
  { value: 'assigned', title: 'Assigned', tone: 'warn' },
  { value: 'completed', title: 'Completed', tone: 'good' },
  { value: 'cancelled', title: 'Cancelled', tone: 'plain' },
];

const BID_STATUSES: Readonly<Record<string, { title: string; tone: Tone }>> = {
  open: { title: 'Open', tone: 'plain' },
  accepted: { title: 'Accepted', tone: 'good' },
  declined: { title: 'Declined', tone: 'plain' },
};

/** A status that a newer server has is shown as it is. */
export function statusInWords(status: string): { title: string; tone: Tone } {
  return STATUSES.find(({ value }) => value === status) ?? { title: status, tone: 'plain' };
}

export function bidStatusInWords(status: string): { title: string; tone: Tone } {
  return BID_STATUSES[status] ?? { title: status, tone: 'plain' };
}

/** `1 bid`, `3 bids` */
export function bidsInWords(count: number): string {
  return count === 0 ? 'No bids' : `${count} ${count === 1 ? 'bid' : 'bids'}`;
}

/** An amount without needless digits: `10`, `2.5`. */
export function amountInWords(amount: number): string {
  return amount.toLocaleString('en', { maximumFractionDigits: 6 });
}

/** What the address asks for. */
export function readFilter(query: URLSearchParams): TaskFilter {
  const wanted = query.get('status');
  return {
    status: STATUSES.find(({ value }) => value === wanted)?.value,
    mine: query.get('mine') === 'true',
  };
}

/** What a person may do with a task, for themselves and for their agents. */
export interface TaskRights {
  readonly bid: boolean;
  readonly accept: boolean;
  readonly complete: boolean;
  readonly cancel: boolean;
}

/**
 * The poster accepts and cancels, the assignee completes; the human of an agent may do so for it. Nobody bids on a task
 * of their own.
 */
export function rightsOn(
  task: Task,
  me: string | undefined,
  isMyAgent: (handle: string) => boolean,
  now: Date,
): TaskRights {
  if (me === undefined) return { bid: false, accept: false, complete: false, cancel: false };
  const isMine = (handle: string | null | undefined) =>
    handle != null && (handle === me || isMyAgent(handle));
  const isOpen = task.status === 'open' && !isOverdue(task, now);
  return {
    bid: isOpen && task.poster !== me,
    accept: isOpen && isMine(task.poster),
    complete: task.status === 'assigned' && isMine(task.assignee),
    cancel: (task.status === 'open' || task.status === 'assigned') && isMine(task.poster),
  };
}

/** Whether its deadline has passed while it is not closed. */
export function isOverdue({ status, deadline }: Task, now: Date): boolean {
  const isClosed = status === 'completed' || status === 'cancelled';
  return !isClosed && deadline != null && new Date(deadline).getTime() <= now.getTime();
}

/** My bid that still counts. */
export function ownBid(bids: readonly Bid[], me: string | undefined): Bid | undefined {
  return bids.find(({ bidder }) => bidder === me);
}

/** A number that somebody has typed; nothing for an empty field, and `NaN` for what is no amount. */
export function readAmount(text: string): number | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  const amount = Number(typed.replace(',', '.'));
  return amount >= 0 ? amount : Number.NaN;
}
