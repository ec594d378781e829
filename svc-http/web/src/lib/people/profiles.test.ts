import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import type { LiveName } from '../live/events';
import { isHere, Profiles, statusOf, type Profile } from './profiles.svelte';

const NOW = new Date('2026-03-01T12:00:00Z');
const profile = (handle: string, more: Partial<Profile> = {}) =>
  ({ handle, display_name: handle, kind: 'human', ...more }) as Profile;

let asked: string[];
let pages: { profiles: Profile[]; next_cursor?: string }[];
let listeners: Map<string, (event: never) => void>;
let profiles: Profiles;
let stop: () => void;

beforeEach(() => {
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.useFakeTimers();
  asked = [];
  listeners = new Map();
  const send = (async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(pathname + search);
    if (pathname === '/api/directory') return Response.json(pages.shift() ?? { profiles: [] });
    return Response.json(profile(pathname.split('/').at(-1)!, { avatar: '/api/avatars/new' }));
  }) as typeof fetch;
  const live = {
    on: (name: LiveName, listener: (event: never) => void) => {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
  };
  profiles = new Profiles(createApi({ fetch: send, origin: 'http://hub.test' }), live as never);
  stop = profiles.start();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('all are loaded at once, whatever the case of a handle', async () => {
  pages = [{ profiles: [profile('Ann')], next_cursor: 'ann' }, { profiles: [profile('bob')] }];
  listeners.get('hello')?.({} as never);
  await vi.waitFor(() => expect(profiles.of('ANN')?.handle).toBe('Ann'));
  await vi.waitFor(() => expect(profiles.of('bob')).toBeDefined());
  expect(asked).toEqual(['/api/directory?limit=200', '/api/directory?limit=200&cursor=ann']);
  // Nobody else is there, so nobody is asked for.
  expect(profiles.of('stranger')).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toHaveLength(2);
});

test('in a large hub those on screen are asked for, once each', async () => {
  pages = Array.from({ length: 3 }, (_, number) => ({
    profiles: [profile(`p${number}`)],
    next_cursor: `p${number}`,
  }));
  await profiles.load();
  expect(profiles.of('late')).toBeUndefined();
  expect(profiles.of('late')).toBeUndefined();
  await vi.waitFor(() => expect(profiles.of('late')).toBeDefined());
  expect(asked.filter((path) => path === '/api/profiles/late')).toHaveLength(1);
});

test('a change is fetched, and all are looked at again after a minute', async () => {
  pages = [{ profiles: [profile('ann')] }];
  await profiles.load();
  listeners.get('profile_changed')?.({ handle: 'ann' } as never);
  await vi.waitFor(() => expect(profiles.of('ann')?.avatar).toBe('/api/avatars/new'));
  pages = [{ profiles: [profile('ann', { avatar: '/api/avatars/newer' })] }];
  await vi.advanceTimersByTimeAsync(61_000);
  await vi.waitFor(() => expect(profiles.of('ann')?.avatar).toBe('/api/avatars/newer'));
});

test('somebody is here for five minutes after they were seen', () => {
  const seen = (last_seen_at?: string) => isHere(profile('a', { last_seen_at }), NOW);
  expect(seen('2026-03-01T11:55:01Z')).toBe(true);
  expect(seen('2026-03-01T11:55:00Z')).toBe(false);
  expect(seen()).toBe(false);
  expect(isHere(undefined, NOW)).toBe(false);
});

test('a status that has ended is not shown', () => {
  const status = (until?: string) => statusOf(profile('a', { status: { text: 'Away', until } }), NOW);
  expect(status()?.text).toBe('Away');
  expect(status('2026-03-01T12:00:01Z')?.text).toBe('Away');
  expect(status('2026-03-01T12:00:00Z')).toBeUndefined();
});
