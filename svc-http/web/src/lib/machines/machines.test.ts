import { describe, expect, test } from 'vitest';
import { condition, untilSilence, type Machine } from './machines';

const SEEN = '2026-03-01T12:00:00.000Z';
const status: NonNullable<Machine['status']> = {
  state: 'running',
  message: 'All sensors answer.',
  heartbeat_seconds: 30,
  since: SEEN,
  seen_at: SEEN,
  stale_at: '2026-03-01T12:01:30.000Z',
  stale: false,
  beats: 7,
  details: { sensors: 4 },
};
const machine: Machine = {
  principal_id: 'svc:sense:door-1',
  enabled: true,
  registered: true,
  active_keys: 1,
  revoked_keys: 2,
  scopes: ['events:ingest', 'runtime-status:write'],
  status,
  events: 12,
  last_event_at: SEEN,
  sources: [{ source: 'door', version: 3, created_at: SEEN }],
};
const { status: _, ...neverHeard } = machine;

describe('how a machine is', () => {
  test.each([
    [machine, 'running', 'good'],
    [{ ...machine, status: { ...status, state: 'degraded' } }, 'degraded', 'warn'],
    [{ ...machine, status: { ...status, state: 'sensor_failure' } }, 'sensor failure', 'bad'],
    [{ ...machine, status: { ...status, stale: true } }, 'Silent', 'bad'],
    [neverHeard, 'Never seen', 'plain'],
    [{ ...machine, active_keys: 0 }, 'No active key', 'warn'],
    [{ ...machine, enabled: false }, 'Disabled', 'warn'],
    [{ ...machine, enabled: false, registered: false }, 'Not registered', 'plain'],
  ])('%j is %s', (one, title, tone) => {
    expect(condition(one)).toMatchObject({ title, tone });
  });
});

describe('the next silence', () => {
  test('is that of the first machine to be overdue, and a little later', () => {
    const early = { ...machine, status: { ...status, stale_at: '2026-03-01T12:00:30Z' } };
    expect(untilSilence([machine, early], Date.parse(SEEN))).toBe(35_000);
  });

  test('is never at once, however late it is', () => {
    expect(untilSilence([machine], Date.parse('2026-03-01T13:00:00Z'))).toBe(5_000);
  });

  test('does not come where all are silent or were never heard', () => {
    expect(untilSilence([{ ...machine, status: { ...status, stale: true } }], 0)).toBeUndefined();
    expect(untilSilence([neverHeard], 0)).toBeUndefined();
  });
});
