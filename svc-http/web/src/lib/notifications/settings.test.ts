import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import type { Settings, SettingsUpdate } from '../push/api';
import { withUpdate } from './levels';
import { NotificationSettings } from './settings.svelte';

let stored: Settings;
let status: number;
let asked: string[];
let release: (() => void) | undefined;
let isHeld: boolean;
let settings: NotificationSettings;

beforeEach(() => {
  stored = { kinds: { mention: true, budget: true }, quiet_hours: null, conversations: [] } as never;
  status = 200;
  asked = [];
  isHeld = false;
  const send = (async (request: Request) => {
    asked.push(request.method);
    const update: SettingsUpdate = request.method === 'PUT' ? await request.json() : {};
    if (isHeld) await new Promise<void>((resolve) => (release = resolve));
    if (status !== 200) return Response.json({ detail: 'Not now.' }, { status });
    stored = withUpdate(stored, update);
    return Response.json(stored);
  }) as typeof fetch;
  settings = new NotificationSettings(createApi({ fetch: send, origin: 'http://hub.test' }));
});

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('a change shows at once, and stays when the server agrees', async () => {
  await settings.load();
  isHeld = true;
  const changing = settings.change({ kinds: { mention: false } });
  expect(settings.value?.kinds.mention).toBe(false);
  await settled();
  release?.();
  await changing;
  expect(settings.value?.kinds).toEqual({ mention: false, budget: true });
});

test('a change that is refused is taken back, and only that one', async () => {
  await settings.load();
  status = 503;
  const refused = settings.change({ kinds: { mention: false } });
  expect(settings.value?.kinds.mention).toBe(false);
  await expect(refused).rejects.toThrow('Not now.');
  expect(settings.value?.kinds.mention).toBe(true);
  status = 200;
  await settings.setLevel('channel', 'ops', 'nothing');
  expect(settings.isMuted('channel', 'ops')).toBe(true);
  expect(settings.isMuted('dm', 'ops')).toBe(false);
});

test('changes go one after the other, and questions that wait are one', async () => {
  await Promise.all([
    settings.change({ kinds: { mention: false } }),
    settings.change({ kinds: { budget: false } }),
    settings.load(),
    settings.load(),
  ]);
  expect(asked).toEqual(['PUT', 'PUT', 'GET']);
  expect(settings.value?.kinds).toEqual({ mention: false, budget: false });
});

test('levels of before count until there are others', async () => {
  settings.restore([{ kind: 'dm', name: 'eve', level: 'nothing' }]);
  expect(settings.isMuted('dm', 'eve')).toBe(true);
  status = 503;
  await settings.load();
  expect(settings.failure).toBe('Not now.');
  expect(settings.isMuted('dm', 'eve')).toBe(true);
  status = 200;
  await settings.load();
  expect(settings.failure).toBeUndefined();
  expect(settings.level('dm', 'eve')).toBe('all');
});
