/** Webhooks in words: their events, the status of deliveries, and why an attempt failed. */

import type { Schemas } from '../api/client';

export type Webhook = Schemas['Webhook'];
export type WebhookEvent = Schemas['WebhookEvent'];
export type RecentAttempt = Schemas['RecentAttempt'];
export type Delivery = Schemas['Delivery'];
export type DeliveryAttempt = Schemas['DeliveryAttempt'];
export type DeliveryStatus = Schemas['DeliveryStatus'];
export type DeliveryError = Schemas['DeliveryError'];
export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad';

/** Stands for every event, also for those of later versions. */
export const ALL_EVENTS: WebhookEvent = '*';

/** The events to choose from. */
export const EVENTS: readonly { value: WebhookEvent; title: string; text: string }[] = [
  { value: 'message.received', title: 'Direct messages', text: 'The agent receives a direct message.' },
  { value: 'message.mentioned', title: 'Mentions', text: 'The agent is mentioned in a channel.' },
  {
    value: 'channel.message',
    title: 'Channel messages',
    text: 'A message without a mention is posted in one of the agent’s channels.',
  },
  {
    value: 'workflow.state_changed',
    title: 'Workflow changes',
    text: 'A reaction changes the workflow state of a message.',
  },
  { value: 'run.finished', title: 'Finished runs', text: 'A run of the agent that a message started ends.' },
  { value: 'goal.changed', title: 'Goal changes', text: 'Reserved: this version does not send it yet.' },
];

/** The chosen events in one line. */
export function eventsInWords(events: readonly WebhookEvent[]): string {
  if (events.includes(ALL_EVENTS)) return 'All events';
  return events.map((event) => EVENTS.find(({ value }) => value === event)?.title ?? event).join(', ');
}

export const STATUSES: readonly { value: DeliveryStatus; title: string; tone: Tone }[] = [
  { value: 'pending', title: 'Pending', tone: 'plain' },
  { value: 'delivering', title: 'Sending', tone: 'accent' },
  { value: 'delivered', title: 'Delivered', tone: 'good' },
  { value: 'retrying', title: 'Retrying', tone: 'warn' },
  { value: 'dead', title: 'Failed', tone: 'bad' },
  { value: 'stopped', title: 'Stopped', tone: 'plain' },
];

/** A status that a newer server has is shown as it is. */
export function statusInWords(status: DeliveryStatus): { title: string; tone: Tone } {
  return STATUSES.find(({ value }) => value === status) ?? { title: status, tone: 'plain' };
}

/** Whether attempts at a delivery are still to come. */
export function isOpen(status: DeliveryStatus): boolean {
  return status === 'pending' || status === 'delivering' || status === 'retrying';
}

/** A few words for lists, and a sentence that says what to do. */
const ERRORS: Readonly<Record<DeliveryError, readonly [title: string, text: string]>> = {
  address_refused: [
    'Address not allowed',
    'The URL leads to an address that this server does not connect to, such as a private network.',
  ],
  connect: ['Could not connect', 'The host was not found, or it refused the connection.'],
  timeout: ['Timed out', 'The endpoint did not respond in time. Respond first, then do the work.'],
  protocol: ['Invalid response', 'The response was not valid HTTP, or the connection was lost.'],
  redirect: ['Redirected', 'Redirects are not followed. Change the URL to the final address.'],
  status: ['Error response', 'The endpoint did not respond with a 2xx status.'],
  secret: ['Secret not readable', 'This server cannot decrypt the secret. Rotate it.'],
  interrupted: ['Interrupted', 'The server stopped before it recorded the outcome.'],
  depth: ['Chain too long', 'Too many agents in a row caused this event, so it was not sent.'],
  disabled: ['Webhook disabled', 'The webhook was disabled before this event was sent.'],
  hidden: ['No longer visible', 'The agent can no longer see the message, so it was not sent.'],
  backlog: ['Too many waiting', 'Too many deliveries of the owner were waiting, so it was not sent.'],
  loop: ['In a loop', 'The agent and the sender were in a loop that was held, so it was not sent.'],
};

/** Takes any text: a newer server may have other kinds of failures. */
export function errorInWords(error: string): { title: string; text: string } {
  const [title, text] = ERRORS[error as DeliveryError] ?? [error, ''];
  return { title, text };
}

/** Why it is disabled; nothing while it is enabled. */
export function disabledInWords({
  enabled,
  disabled_reason,
}: Pick<Webhook, 'enabled' | 'disabled_reason'>): string | undefined {
  if (enabled) return undefined;
  if (disabled_reason === 'gone') {
    return 'Disabled because the endpoint responded with 410 Gone. Check the URL, then enable the webhook.';
  }
  if (disabled_reason === 'failures') {
    return 'Disabled after too many failed attempts in a row. Fix the endpoint, then enable the webhook.';
  }
  return 'Disabled. No events are sent until you enable the webhook.';
}

/** `HTTP 204`, or why there was no response with a status of success. */
export function resultInWords(attempt: {
  readonly status?: number | null | undefined;
  readonly error?: string | null | undefined;
}): string {
  const status = attempt.status == null ? undefined : `HTTP ${attempt.status}`;
  if (!attempt.error) return status ?? 'No response';
  if (status !== undefined && (attempt.error === 'status' || attempt.error === 'redirect')) return status;
  return errorInWords(attempt.error).title;
}

/** `35 ms`, `1.2 s` */
export function durationOf(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** The last attempts in a sentence, for those who do not see the bar. */
export function healthInWords(attempts: readonly Pick<RecentAttempt, 'ok'>[]): string {
  const all = attempts.length;
  if (all === 0) return 'No attempts yet';
  const failed = attempts.filter(({ ok }) => !ok).length;
  if (all === 1) return failed === 0 ? 'The only attempt succeeded' : 'The only attempt failed';
  if (failed === 0) return `All of the last ${all} attempts succeeded`;
  if (failed === all) return `All of the last ${all} attempts failed`;
  return `${failed} of the last ${all} attempts failed`;
}

/** The id of the link to a webhook in the list of all. */
export function linkId(webhook: number): string {
  return `webhook-${webhook}`;
}

/** JSON with line breaks; other text as it is. */
export function formatted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
