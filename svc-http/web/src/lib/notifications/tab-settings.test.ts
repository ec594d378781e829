import { beforeEach, expect, test } from 'vitest';
import { TabSettings } from './tab-settings.svelte';

let store: Map<string, string>;
const storage = () => ({
  getItem: (name: string) => store.get(name) ?? null,
  setItem: (name: string, value: string) => void store.set(name, value),
});
const NOW = new Date('2026-03-01T12:00:00Z');
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

beforeEach(() => {
  store = new Map();
});

test('nothing is on until the person turns it on, and it is kept for that person', () => {
  const settings = new TabSettings('ada', storage);
  expect([settings.isOn, settings.hasSound]).toEqual([false, false]);
  settings.turn(true);
  settings.turnSound(true);
  const again = new TabSettings('ada', storage);
  expect([again.isOn, again.hasSound]).toEqual([true, true]);
  expect(new TabSettings('bob', storage).isOn).toBe(false);
});

test('a pause ends by itself, or when it is ended', () => {
  const settings = new TabSettings('ada', storage);
  settings.pause(later(60));
  expect(settings.pausedUntil(later(59))).toEqual(later(60));
  expect(settings.pausedUntil(later(60))).toBeUndefined();
  settings.resume();
  expect(settings.pausedUntil(NOW)).toBeUndefined();
});

test('what another tab changes counts here too', () => {
  const [here, there] = [new TabSettings('ada', storage), new TabSettings('ada', storage)];
  there.turn(true);
  here.storedElsewhere({ key: 'svc.theme' });
  expect(here.isOn).toBe(false);
  here.storedElsewhere({ key: 'svc.tab-notifications.ada' });
  expect(here.isOn).toBe(true);
});

test('storage that is forbidden, or holds something else, changes nothing', () => {
  store.set('svc.tab-notifications.ada', '[1]');
  expect(new TabSettings('ada', storage).isOn).toBe(false);
  const settings = new TabSettings('ada', () => {
    throw new DOMException('no', 'SecurityError');
  });
  settings.turn(true);
  expect(settings.isOn).toBe(true);
});
