import { describe, expect, test } from 'vitest';
import { engineName, readReadiness, reasonsOf, workerTitle, type Readiness } from './readiness';

const answer = {
  status: 'ready',
  store: { engine: 'sqlite', ok: true, error: null },
  workers: [
    { name: 'event_retention', state: 'idle', last_run_at: '2026-11-15T02:00:00.000Z', failures: 0 },
    { name: 'deliveries', state: 'failing', last_error: 'disk full', failures: 3 },
  ],
};

function read(body: unknown): Readiness {
  const readiness = readReadiness(body);
  if (!readiness) throw new Error('the body was not understood');
  return readiness;
}

describe('readReadiness', () => {
  test('reads a complete answer', () => {
    expect(read(answer)).toEqual({
      status: 'ready',
      store: { engine: 'sqlite', ok: true, error: undefined },
      workers: [
        {
          name: 'event_retention',
          state: 'idle',
          lastRunAt: new Date('2026-11-15T02:00:00.000Z'),
          lastError: undefined,
          failures: 0,
        },
        { name: 'deliveries', state: 'failing', lastRunAt: undefined, lastError: 'disk full', failures: 3 },
      ],
    });
  });

  test('a status alone is enough', () => {
    expect(read({ status: 'ready' })).toEqual({ status: 'ready', store: undefined, workers: [] });
  });

  test('words of a newer server are unknown, not an error', () => {
    const readiness = read({ status: 'resting', workers: [{ name: 'x', state: 'dreaming' }] });
    expect(readiness.status).toBe('unknown');
    expect(readiness.workers[0]?.state).toBe('unknown');
  });

  test('workers without a name and times that are none are left out', () => {
    const readiness = read({
      status: 'ready',
      workers: [{}, null, 'x', { name: 'y', last_run_at: 'yesterday' }],
    });
    expect(readiness.workers.map(({ name, lastRunAt }) => [name, lastRunAt])).toEqual([['y', undefined]]);
  });

  test.each([[null], ['ready'], [[]], [{}], [{ status: 1 }]])('%j is not an answer', (body) => {
    expect(readReadiness(body)).toBeUndefined();
  });
});

describe('reasonsOf', () => {
  test('names each failing worker with its error', () => {
    expect(reasonsOf(read(answer))).toEqual(['Deliveries failed 3 times in a row: disk full.']);
  });

  test('puts the store first', () => {
    const reasons = reasonsOf(
      read({ ...answer, status: 'unavailable', store: { ok: false, error: 'database is locked.' } }),
    );
    expect(reasons[0]).toBe('The database is unavailable: database is locked.');
  });

  test('says so when the hub gave none', () => {
    expect(reasonsOf(read({ status: 'degraded' }))).toEqual(['No reason given.']);
    expect(reasonsOf(read({ status: 'ready' }))).toEqual([]);
  });
});

test('names are put into people’s spelling', () => {
  expect(workerTitle('event_retention')).toBe('Event retention');
  expect(workerTitle('oauth_sweep')).toBe('OAuth sweep');
  expect(engineName('postgres')).toBe('PostgreSQL');
  expect(engineName('other')).toBe('other');
});
