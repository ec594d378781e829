import { expect, test } from 'vitest';
import type { Settings } from '../push/api';
import { levelOf, mutedLast, withUpdate } from './levels';

const settings = {
  kinds: { mention: true, approval: true },
  quiet_hours: { start: '22:00', end: '07:00', time_zone: 'UTC' },
  conversations: [
    { kind: 'channel', name: 'ops', level: 'nothing' },
    { kind: 'dm', name: 'ops', level: 'mentions' },
  ],
} as unknown as Settings;

test('a conversation without an entry has the default of its kind', () => {
  expect(levelOf(settings.conversations, 'channel', 'ops')).toBe('nothing');
  expect(levelOf(settings.conversations, 'dm', 'ops')).toBe('mentions');
  expect(levelOf(settings.conversations, 'channel', 'general')).toBe('mentions');
  expect(levelOf(settings.conversations, 'dm', 'ann')).toBe('all');
});

test('an update changes what it names, and the default takes an entry away', () => {
  const after = withUpdate(settings, {
    kinds: { approval: false },
    conversations: [
      { kind: 'channel', name: 'ops', level: 'mentions' },
      { kind: 'channel', name: 'general', level: 'all' },
    ],
  });
  expect(after.kinds).toEqual({ mention: true, approval: false });
  expect(after.quiet_hours).toEqual(settings.quiet_hours);
  expect(after.conversations.map(({ kind, name, level }) => `${kind} ${name} ${level}`)).toEqual([
    'dm ops mentions',
    'channel general all',
  ]);
  expect(withUpdate(settings, { quiet_hours: null }).quiet_hours).toBeNull();
});

test('what is muted comes last, in the order it had', () => {
  expect(mutedLast([1, 2, 3, 4, 5], (number) => number % 2 === 1)).toEqual([2, 4, 1, 3, 5]);
});
