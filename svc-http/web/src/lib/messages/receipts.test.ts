import { expect, test } from 'vitest';
import { momentOf, summary, type Receipt, type ReceiptState } from './receipts';

const receipt = (state: ReceiptState, more: Partial<Receipt> = {}): Receipt => ({
  participant: 'eve',
  kind: 'human',
  state,
  stored_at: '2026-03-01T12:00:00.000Z',
  ...more,
});

test.each<[ReceiptState[], string]>([
  [['stored'], 'Sent'],
  [['offered'], 'Delivered'],
  [['failed'], 'Failed'],
  [['stored', 'stored'], 'Sent'],
  [['stored', 'offered', 'offered'], 'Delivered to 2 of 3'],
  [['stored', 'read', 'done'], 'Read by 2 of 3'],
])('%j is %s', (states, words) => {
  expect(
    summary(
      states.map((state) => receipt(state)),
      states.length,
    ),
  ).toBe(words);
});

test('nobody to get it, nothing to say', () => expect(summary([], 0)).toBeUndefined());

test('the moment is that of the state, or of the storing when it is not known', () => {
  expect(momentOf(receipt('read', { read_at: '2026-03-01T13:00:00.000Z' }))).toBe('2026-03-01T13:00:00.000Z');
  expect(momentOf(receipt('read'))).toBe('2026-03-01T12:00:00.000Z');
});
