/**
 * What a message is for the person, and the notification that it becomes in a tab. The rules are those by which the
 * server pushes, so that both say the same of a message.
 */

import type { Message } from '../api/client';
import { oneLine } from '../home/one-line';
import { asNumber, asObject, asText } from '../json/read';
import type { Kind, Level } from '../push/api';
import type { ConversationKind } from './levels';

/** As much of a text as a notification shows. */
const BODY_LENGTH = 240;

export interface Notice {
  readonly kind: Kind;
  /** The conversation whose level counts. */
  readonly conversation: { readonly kind: ConversationKind; readonly name: string };
  readonly title: string;
  readonly body: string;
  /** A notification takes the place of an earlier one with the same tag. */
  readonly tag: string;
  /** The page that it opens. */
  readonly url: string;
  /** The pages on which the person sees it anyway. */
  readonly paths: readonly string[];
}

/** A part of the metadata of a message, by the names that lead to it. */
function part(message: Message, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => asObject(value)?.[name], message.metadata);
}

export function kindOf(message: Message): Kind {
  if (message.channel != null) return message.workflow_state === 'proposed' ? 'approval' : 'channel_message';
  if (part(message, 'mention') != null) return 'mention';
  if (message.from_kind !== 'system') return 'direct_message';
  const asksForSecret =
    part(message, 'secret_request', 'id') != null && part(message, 'secret_request', 'status') == null;
  if (part(message, 'goal', 'waits') != null || asksForSecret) return 'approval';
  const governance = asText(part(message, 'governance', 'kind')) ?? '';
  if (part(message, 'goal', 'alert') != null || governance.startsWith('budget_')) return 'budget';
  if (governance === 'quarantined') return 'quarantine';
  if (part(message, 'run', 'error') != null) return 'failed_run';
  return part(message, 'webhook', 'disabled_reason') != null ? 'webhook_disabled' : 'direct_message';
}

/** The notification of a message. `nameOf` tells the name for people of a handle. */
export function noticeOf(message: Message, nameOf: (handle: string) => string): Notice {
  const kind = kindOf(message);
  const mentioned = asText(part(message, 'mention', 'channel'));
  const channel = message.channel ?? mentioned;
  const id =
    message.channel == null ? (asNumber(part(message, 'mention', 'message_id')) ?? message.id) : message.id;
  const conversation =
    channel === undefined
      ? ({ kind: 'dm', name: message.from } as const)
      : ({ kind: 'channel', name: channel } as const);
  const path = `/${conversation.kind === 'channel' ? 'c' : 'dm'}/${encodeURIComponent(conversation.name)}`;
  const url = pageOf(kind, message) ?? `${path}?m=${id}`;
  return {
    kind,
    conversation,
    title: titleOf(kind, message, channel, nameOf),
    body: oneLine(message.body, BODY_LENGTH),
    tag: kind === 'approval' ? `approval:${message.id}` : `${conversation.kind}:${conversation.name}`,
    url,
    paths: [path, url.replace(/[?#].*$/, '')],
  };
}

function titleOf(
  kind: Kind,
  { from, from_kind }: Message,
  channel: string | undefined,
  nameOf: (handle: string) => string,
): string {
  const name = nameOf(from);
  const sender = from_kind === 'system' ? 'svc' : name === from ? `@${from}` : `${name} (@${from})`;
  switch (kind) {
    case 'mention':
      return `${sender} mentioned you in #${channel ?? ''}`;
    case 'channel_message':
      return `${sender} in #${channel ?? ''}`;
    case 'approval':
      return channel === undefined ? 'Your approval is needed' : `${sender} proposes in #${channel}`;
    case 'failed_run':
      return 'A run failed';
    case 'budget':
      return 'Budget alert';
    case 'quarantine':
      return 'An agent was quarantined';
    case 'webhook_disabled':
      return 'A webhook was disabled';
    default:
      return sender;
  }
}

/** The page about the subject of a message of the hub; nothing when that is the message itself. */
function pageOf(kind: Kind, message: Message): string | undefined {
  if (message.from_kind !== 'system') return undefined;
  const [goal, run] = [asNumber(part(message, 'goal', 'id')), asNumber(part(message, 'run', 'id'))];
  if ((kind === 'approval' || kind === 'budget') && goal !== undefined) return `/goals/${goal}`;
  if (kind === 'failed_run' && run !== undefined) return `/runs/${run}`;
  const agent = asText(part(message, 'governance', 'agent')) ?? asText(part(message, 'webhook', 'agent'));
  if (agent !== undefined) return `/agents/${encodeURIComponent(agent)}`;
  return part(message, 'secret_request', 'id') == null ? undefined : '/';
}

/** Whether the level of its conversation lets a notification through. */
export function passesLevel(kind: Kind, level: Level): boolean {
  if (level === 'nothing') return false;
  return level === 'all' || kind === 'mention' || kind === 'approval';
}
