/** The kinds of notifications, in words. */

import type { Kind } from './api';

export const KINDS: readonly { readonly kind: Kind; readonly title: string; readonly text: string }[] = [
  {
    kind: 'direct_message',
    title: 'Direct messages',
    text: 'Somebody or an agent writes to you.',
  },
  { kind: 'mention', title: 'Mentions', text: 'A message in a channel mentions you.' },
  {
    kind: 'channel_message',
    title: 'Channel messages',
    text: 'A new message in a channel that you have set to “All messages”.',
  },
  {
    kind: 'approval',
    title: 'Approvals',
    text: 'A task, a result, an agent or a secret waits for your decision.',
  },
  { kind: 'failed_run', title: 'Failed runs', text: 'A run of one of your agents has failed.' },
  {
    kind: 'budget',
    title: 'Budgets',
    text: 'One of your agents has come close to its budget or reached it.',
  },
  {
    kind: 'quarantine',
    title: 'Quarantine',
    text: 'One of your agents was stopped because of its behavior.',
  },
  {
    kind: 'webhook_disabled',
    title: 'Disabled webhooks',
    text: 'A webhook of yours was disabled after too many failures.',
  },
];
