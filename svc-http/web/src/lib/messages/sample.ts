/** Messages for tests. */

import type { Message } from '../api/client';

export function message(id: number, more: Partial<Message> = {}): Message {
  return {
    id,
    conversation_id: 1,
    channel: 'general',
    channel_id: 1,
    from: 'ada',
    from_kind: 'human',
    to: undefined,
    subject: '',
    body: `message ${id}`,
    priority: 5,
    status: 'pending',
    metadata: {},
    reply_to: undefined,
    reply_count: 0,
    attachments: [],
    reactions: [],
    emoji: [],
    workflow_state: undefined,
    claimed_by: undefined,
    lease_expires_at: undefined,
    depth: 0,
    version: 1,
    edited_at: undefined,
    edited_since_claim: false,
    deleted_at: undefined,
    deleted_by: undefined,
    created_at: new Date(Date.UTC(2026, 2, 1, 12) + id * 1_000).toISOString(),
    updated_at: new Date(Date.UTC(2026, 2, 1, 12) + id * 1_000).toISOString(),
    ...more,
  } as Message;
}
