import { expect, test } from 'vitest';
import { createApi } from '../api/client';
import { meanTrust, Sightings, trustTone } from './sightings.svelte';

const score = (value: number) => ({
  action_type: 'publish',
  score: value,
  adjustments: 1,
  updated_at: '2026-11-15T02:00:00.000Z',
});

function standIn() {
  const asked: string[] = [];
  const send = (async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    asked.push(`${request.method} ${pathname}`);
    const at = '2026-11-15T02:00:00.000Z';
    if (pathname === '/api/traces') {
      return Response.json({ traces: searchParams.get('agent') === 'busy' ? [{ created_at: at }] : [] });
    }
    if (pathname === '/api/trust/gone') return Response.json({}, { status: 404 });
    if (pathname.startsWith('/api/trust/')) return Response.json({ scores: [score(0.7)] });
    return Response.json({}, { status: 404 });
  }) as typeof fetch;
  return { asked, sightings: new Sightings(createApi({ fetch: send, origin: 'http://hub.test' })) };
}

test('when an agent last did something is known, and that one never did', async () => {
  const { asked, sightings } = standIn();
  await sightings.load(['busy', 'never']);
  expect(sightings.of('busy')?.at?.toISOString()).toBe('2026-11-15T02:00:00.000Z');
  expect(sightings.of('never')).toMatchObject({ at: undefined });
  expect(asked.filter((call) => !call.startsWith('GET '))).toEqual([]);
});

test('nobody is asked about twice, and one failure leaves the others alone', async () => {
  const { asked, sightings } = standIn();
  await Promise.all([sightings.load(['busy', 'gone']), sightings.load(['busy'])]);
  await sightings.load(['busy']);
  expect(asked.filter((call) => call === 'GET /api/trust/busy')).toHaveLength(1);
  expect(sightings.of('gone')).toBeUndefined();
  expect(sightings.of('busy')).toBeDefined();
});

test('trust is the mean of what was judged', () => {
  expect(meanTrust([])).toBeUndefined();
  expect(meanTrust([score(0.4), score(0.8)])).toBeCloseTo(0.6);
  expect([0.29, 0.3, 0.69, 0.7].map(trustTone)).toEqual(['bad', 'accent', 'accent', 'good']);
});
