/** Delivery states in words. */

import type { Schemas } from '../api/client';

export type Receipt = Schemas['Receipt'];
export type ReceiptState = Schemas['ReceiptState'];

export const RECEIPT_WORDS: Readonly<Record<ReceiptState, { title: string; hint: string }>> = {
  stored: { title: 'Sent', hint: 'Stored on the hub; not delivered yet.' },
  offered: {
    title: 'Delivered',
    hint: 'Delivered in a list or a stream; not confirmed as read.',
  },
  read: { title: 'Read', hint: 'Marked as read.' },
  claimed: { title: 'Claimed', hint: 'Being worked on.' },
  done: { title: 'Done', hint: 'Completed.' },
  failed: { title: 'Failed', hint: 'Could not be completed.' },
};

const ORDER: readonly ReceiptState[] = ['stored', 'offered', 'read', 'claimed', 'done'];

/** One line for all: `Read by 2 of 5`, or the state of the only one. */
export function summary(receipts: readonly Receipt[], total: number): string | undefined {
  const [only] = receipts;
  if (!only) return undefined;
  if (total === 1) return RECEIPT_WORDS[only.state].title;
  const reached = (state: ReceiptState) =>
    receipts.filter((receipt) => ORDER.indexOf(receipt.state) >= ORDER.indexOf(state)).length;
  const read = reached('read');
  if (read > 0) return `Read by ${read} of ${total}`;
  const offered = reached('offered');
  return offered > 0 ? `Delivered to ${offered} of ${total}` : 'Sent';
}

/** Whether everybody has read it or gone on from there. */
export function isSettled(receipts: readonly Receipt[], total: number): boolean {
  return receipts.length >= total && receipts.every(({ state }) => state !== 'stored' && state !== 'offered');
}

/** The moment at which it came to its state. */
export function momentOf(receipt: Receipt): string {
  const moments = {
    stored: receipt.stored_at,
    offered: receipt.offered_at,
    read: receipt.read_at,
    claimed: receipt.claimed_at,
    done: receipt.finished_at,
    failed: receipt.finished_at,
  };
  return moments[receipt.state] ?? receipt.stored_at;
}
