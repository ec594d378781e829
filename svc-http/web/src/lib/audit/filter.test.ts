import { expect, test } from 'vitest';
import { detailsOf, exportAddress, queryOf, readFilter, titleOf } from './filter';

const now = Date.parse('2026-11-15T12:00:00.000Z');

test('the address is read, and what makes no sense is left out', () => {
  expect(readFilter(new URLSearchParams('event=user_changed&user=bob&actor=ann&span=24h'))).toEqual({
    event: 'user_changed',
    user: 'bob',
    actor: 'ann',
    span: '24h',
  });
  expect(readFilter(new URLSearchParams('event=&span=soon'))).toEqual({});
});

test('the server is asked for the same', () => {
  expect(queryOf({ user: 'bob', span: '24h' }, now)).toEqual({
    username: 'bob',
    since: '2026-11-14T12:00:00.000Z',
  });
  expect(exportAddress({ actor: 'ann' }, 'csv', now)).toBe('/api/admin/audit/export?format=csv&actor=ann');
});

test('events have titles, and details fit in a line', () => {
  expect(titleOf('user_changed')).toBe('Account changed');
  expect(titleOf('something_new')).toBe('something_new');
  expect(detailsOf({ role: 'admin', disabled: true })).toBe('role: admin, disabled: true');
  expect(detailsOf(undefined)).toBe('');
});
