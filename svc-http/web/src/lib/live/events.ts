/** The events of `/api/events`, by name. */

import { asObject } from '../json/read';

export interface EmojiNews {
  message_id: number;
  conversation_id: number;
  channel: string | null;
  by: string;
  emoji: string;
  count: number;
}

export interface LiveEvents {
  hello: { seq: number; server_time: string };
  reset: { reason: string };
  new_message: {
    message_id: number;
    conversation_id: number;
    channel: string | null;
    from: string;
    from_kind: 'human' | 'agent' | 'system';
    to: string | null;
    subject: string;
    preview: string;
    priority: number;
    mention_of: number | null;
    mentions_me: boolean;
    created_at: string;
  };
  message_updated: {
    message_id: number;
    conversation_id: number;
    channel: string | null;
    status?: string;
    claimed_by?: string;
    reason?: string;
    workflow_state?: string;
    escalated_at?: string;
  };
  /** Its text changed; the message has it. */
  message_edited: {
    message_id: number;
    conversation_id: number;
    channel: string | null;
    version: number;
    claimed_by?: string;
    edited_at: string;
  };
  message_deleted: {
    message_id: number;
    conversation_id: number;
    channel: string | null;
    by: string;
    deleted_at: string;
  };
  message_pinned: { message_id: number; conversation_id: number; channel: string | null; by: string };
  message_unpinned: { message_id: number; conversation_id: number; channel: string | null; by: string };
  /** A message of mine, or of one of my agents, that is sent later. Without a status it was deleted. */
  scheduled_message_changed: { scheduled_id: number; status: 'waiting' | 'sent' | 'failed' | null };
  reaction_changed: {
    message_id: number;
    conversation_id: number;
    channel: string | null;
    by: string;
    reaction: string;
    action: string;
    workflow_state: string | null;
  };
  /** `count` is how many have chosen it now. */
  emoji_added: EmojiNews;
  emoji_removed: EmojiNews;
  workflow_state_changed: {
    message_id: number;
    conversation_id: number;
    channel: string | null;
    old_state: string | null;
    new_state: string | null;
    by: string | null;
    reaction: string | null;
  };
  /** `mention_copies` is left out when there are none. */
  unread_update: {
    kind: 'channel' | 'dm';
    name: string;
    unread: number;
    mentions: number;
    mention_copies?: number;
  };
  channel_changed: { channel: string; action: string; by?: string; member?: string };
  agent_changed: { agent?: string; agent_id?: number; action: string };
  /** Without another agent, it floods a channel. */
  loop_changed: { loop_id: number; kind: string; agent: string; other: string | null; action: string };
  /** Without a principal, the registry has changed. */
  machine_changed: { principal_id?: string; action: string };
  task_changed: {
    task_id: number;
    title: string;
    status: string;
    channel: string | null;
    message_id: number | null;
    action: string;
    by: string | null;
  };
  dead_letters_added: { count: number };
  /** Display name, status, avatar or presence of somebody. */
  profile_changed: { handle: string };
  /** The person has changed them, here or elsewhere. */
  notification_settings_changed: object;
  run_changed: {
    run_id: number;
    agent: string;
    status: string;
    trigger_message_id: number | null;
    error: string | null;
  };
  /** A goal, one of its tasks or one of its proposals. What does not belong to the change is left out. */
  goal_changed: {
    goal_id: number;
    slug: string;
    title: string;
    status: string;
    task_id?: number;
    task_status?: string;
    proposal?: number;
    by?: string;
  };
  /** An article. `renamed_from` is the slug that it had before this change. */
  wiki_changed: {
    slug: string;
    renamed_from?: string;
    title: string;
    revision: number;
    action: string;
    by?: string;
  };
}

export type LiveName = keyof LiveEvents;

/** One event as it came over the wire. */
export interface RawEvent {
  readonly id: string | undefined;
  readonly name: string;
  readonly data: string;
}

/** The fields of an event; nothing when they are not an object, which no event of ours is. */
export function readEvent(event: RawEvent): object | undefined {
  try {
    return asObject(JSON.parse(event.data));
  } catch {
    return undefined;
  }
}

/** Takes server-sent events out of a stream of text that is cut anywhere. */
export class EventReader {
  #rest = '';
  #id: string | undefined;
  #name = '';
  #data: string[] = [];

  /** The events that are complete with this piece. A place without data is told as an event without a name. */
  read(piece: string): RawEvent[] {
    this.#rest += piece;
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#line(line) ?? []);
  }

  #line(line: string): RawEvent | undefined {
    if (line === '') return this.#finish();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') this.#id = value;
    if (field === 'event') this.#name = value;
    if (field === 'data') this.#data.push(value);
    return undefined;
  }

  #finish(): RawEvent | undefined {
    const event = { id: this.#id, name: this.#name, data: this.#data.join('\n') };
    this.#id = undefined;
    this.#name = '';
    this.#data = [];
    return event.id === undefined && event.name === '' ? undefined : event;
  }
}
