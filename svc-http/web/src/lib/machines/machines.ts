/** Machine principals: how each is, and when that may change by itself. */

import type { Schemas } from '../api/client';

export type Machine = Schemas['RegistryPrincipal'];

export interface Condition {
  readonly title: string;
  readonly tone: 'plain' | 'good' | 'warn' | 'bad';
  /** Why, in a sentence. */
  readonly text: string;
}

/** The state of a machine. The registry takes precedence over its own status. */
export function condition({ registered, enabled, active_keys, status }: Machine): Condition {
  if (!registered) {
    return {
      title: 'Not registered',
      tone: 'plain',
      text: 'Removed from the registry. Its requests are rejected.',
    };
  }
  if (!enabled)
    return { title: 'Disabled', tone: 'warn', text: 'Disabled in the registry. Its requests are rejected.' };
  if (active_keys === 0) return { title: 'No active key', tone: 'warn', text: 'All its keys are revoked.' };
  if (!status) return { title: 'Never seen', tone: 'plain', text: 'It has not reported a status yet.' };
  if (status.stale)
    return { title: 'Silent', tone: 'bad', text: `Last status: ${status.state}. Its heartbeat is overdue.` };
  const isBad = /fail|error|down|broken|fault/.test(status.state);
  const isOdd = /degrad|warn|stop|paus|idle|start/.test(status.state);
  return {
    title: status.state.replace(/[_-]/g, ' '),
    tone: isBad ? 'bad' : isOdd ? 'warn' : 'good',
    text: status.message ?? '',
  };
}

/**
 * In how many milliseconds the next machine falls silent unless it reports; nothing when none can. Silence is no
 * event, because nothing happens then. Not at once, so that a clock that is ahead does not ask without end.
 */
export function untilSilence(machines: readonly Machine[], now: number): number | undefined {
  const moments = machines.flatMap(({ status }) =>
    status && !status.stale ? [Date.parse(status.stale_at)] : [],
  );
  return moments.length === 0 ? undefined : Math.max(Math.min(...moments) - now, 0) + 5_000;
}
