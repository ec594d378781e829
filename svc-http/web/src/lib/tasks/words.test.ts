import { expect, test } from 'vitest';
import type { Bid, Task } from './api';
import {
  amountInWords,
  bidsInWords,
  isOverdue,
  ownBid,
  readAmount,
  readFilter,
  rightsOn,
  statusInWords,
} from './words';

const NOW = new Date('2026-03-01T12:00:00Z');
const task = (more: Partial<Task> = {}): Task => ({
  id: 1,
  title: 'Count the reports',
  body: 'All of them.',
  status: 'open',
  poster: 'ada',
  poster_kind: 'human',
  bid_count: 0,
  created_at: '2026-03-01T11:00:00Z',
  updated_at: '2026-03-01T11:00:00Z',
  ...more,
});
const allowed = (one: Task, me: string | undefined, agents: readonly string[] = []) =>
  Object.entries(rightsOn(one, me, (name) => agents.includes(name), NOW)).flatMap(([right, has]) =>
    has ? right : [],
  );

test('the poster accepts and cancels, others bid', () => {
  expect(allowed(task(), 'ada')).toEqual(['accept', 'cancel']);
  expect(allowed(task(), 'bob')).toEqual(['bid']);
  expect(allowed(task(), undefined)).toEqual([]);
});

test('a person acts for their agents', () => {
  expect(allowed(task({ poster: 'scout' }), 'ada', ['scout'])).toEqual(['bid', 'accept', 'cancel']);
  const assigned = task({ status: 'assigned', assignee: 'scout' });
  expect(allowed(assigned, 'bob', ['scout'])).toEqual(['complete']);
  expect(allowed(assigned, 'ada')).toEqual(['cancel']);
});

test('a closed task allows nothing, one after its deadline no bids', () => {
  for (const status of ['completed', 'cancelled'] as const)
    expect(allowed(task({ status, assignee: 'bob' }), 'ada')).toEqual([]);
  const late = task({ deadline: '2026-03-01T11:59:59Z' });
  expect([allowed(late, 'bob'), allowed(late, 'ada')]).toEqual([[], ['cancel']]);
  expect(isOverdue(late, NOW)).toBe(true);
  expect(isOverdue({ ...late, status: 'completed' }, NOW)).toBe(false);
});

test('the address has the filter', () => {
  const read = (text: string) => readFilter(new URLSearchParams(text));
  expect(read('status=assigned&mine=true')).toEqual({ status: 'assigned', mine: true });
  expect(read('status=nonsense')).toEqual({ status: undefined, mine: false });
});

test('amounts are read as they are typed', () => {
  expect(['', ' 4 ', '2,5', '0'].map(readAmount)).toEqual([undefined, 4, 2.5, 0]);
  expect(['-1', 'four'].map(readAmount)).toEqual([Number.NaN, Number.NaN]);
  expect([10, 2.5].map(amountInWords)).toEqual(['10', '2.5']);
});

test('words for what is shown', () => {
  expect([0, 1, 2].map(bidsInWords)).toEqual(['No bids', '1 bid', '2 bids']);
  expect(statusInWords('paused').title).toBe('paused');
  const bids = [
    { id: 1, bidder: 'bob' },
    { id: 2, bidder: 'scout' },
  ] as Bid[];
  expect(ownBid(bids, 'scout')?.id).toBe(2);
});
