/** Which entries of the audit log are wanted: in the address of the page, and as the server takes it. */

export interface AuditFilter {
  readonly event?: string;
  /** The account that it is about. */
  readonly user?: string;
  /** The account that did it. */
  readonly actor?: string;
  readonly span?: Span;
}

export const SPANS = [
  { value: '', title: 'All time', hours: undefined },
  { value: '24h', title: 'Last 24 hours', hours: 24 },
  { value: '7d', title: 'Last 7 days', hours: 7 * 24 },
  { value: '30d', title: 'Last 30 days', hours: 30 * 24 },
] as const;
export type Span = Exclude<(typeof SPANS)[number]['value'], ''>;

/** The events with their titles. The server may have newer ones. */
export const EVENTS: Readonly<Record<string, string>> = {
  login_success: 'Logged in',
  login_failure: 'Login failed',
  session_created: 'Login session began',
  session_destroyed: 'Login session ended',
  user_created: 'Account created',
  user_changed: 'Account changed',
  invite_created: 'Invitation created',
  invite_revoked: 'Invitation revoked',
  password_changed: 'Password changed',
  password_reset: 'Password reset',
  token_issued: 'Key or token created',
  token_refreshed: 'Token renewed',
  token_revoked: 'Key or token revoked',
  client_changed: 'OAuth client changed',
  secret_changed: 'Secret changed',
  registry_loaded: 'Registry of machines loaded',
  machine_refused: 'Machine refused',
  machine_events_purged: 'Events of machines purged',
  webhook_changed: 'Webhook changed',
  agent_state_changed: 'Agent paused, quarantined or released',
  loop_changed: 'Loop held or lifted',
  handler_changed: 'Handler of cluster jobs changed',
};

/** `Account changed`; a word of a newer server stays as it is. */
export function titleOf(event: string): string {
  return EVENTS[event] ?? event;
}

/** Reads the filter from an address; what makes no sense is left out. */
export function readFilter(query: URLSearchParams): AuditFilter {
  const [event, user, actor] = [query.get('event'), query.get('user'), query.get('actor')];
  const span = SPANS.find(({ value }) => value !== '' && value === query.get('span'))?.value as
    Span | undefined;
  return {
    ...(event ? { event } : {}),
    ...(user ? { user } : {}),
    ...(actor ? { actor } : {}),
    ...(span ? { span } : {}),
  };
}

export interface AuditQuery {
  event?: string;
  username?: string;
  actor?: string;
  since?: string;
}

export function queryOf(filter: AuditFilter, now: number): AuditQuery {
  const hours = SPANS.find(({ value }) => value === filter.span)?.hours;
  return {
    ...(filter.event ? { event: filter.event } : {}),
    ...(filter.user ? { username: filter.user } : {}),
    ...(filter.actor ? { actor: filter.actor } : {}),
    ...(hours === undefined ? {} : { since: new Date(now - hours * 3_600_000).toISOString() }),
  };
}

/** Where the same entries are downloaded. */
export function exportAddress(filter: AuditFilter, format: 'csv' | 'jsonl', now: number): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(queryOf(filter, now))) query.set(name, value);
  return `/api/admin/audit/export?${query}`;
}

/** `role: admin, session_id: 7`: the details in a line. */
export function detailsOf(details: unknown): string {
  if (typeof details !== 'object' || details === null) return '';
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${shown(value)}`)
    .join(', ');
}
