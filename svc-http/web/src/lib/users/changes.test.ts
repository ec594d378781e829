import { expect, test } from 'vitest';
import { changesOf } from './changes';
import type { User } from './users.svelte';

const user = (changes: Partial<User>): User => ({
  id: 1,
  username: 'bob',
  display_name: 'Bob',
  role: 'user',
  created_at: '2026-11-15T00:00:00Z',
  ...changes,
});
const titles = (changes: Partial<User>, me = 'ann') => changesOf(user(changes), me).map(({ title }) => title);

test('an active account can get another role, another password, or an end', () => {
  expect(titles({})).toEqual(['Make administrator', 'Reset password', 'Deactivate']);
  expect(titles({ role: 'admin' })[0]).toBe('Remove administrator role');
});

test('a deactivated account can be reactivated, and gets no password', () => {
  expect(titles({ disabled_at: '2026-11-16T00:00:00Z' })).toEqual(['Make administrator', 'Reactivate']);
});

test('one’s own password is changed in the settings', () => {
  expect(titles({ username: 'ann' })).not.toContain('Reset password');
});
