import { expect, test } from 'vitest';
import { placesIn } from './places';

const PATTERNS = ['/', '/hub', '/admin/health'];
const shown = (role: 'admin' | 'user' | undefined) => placesIn(PATTERNS, role).map(({ href }) => href);

test('only places with a page are shown', () => {
  expect(placesIn(['/hub'], 'admin').map(({ title }) => title)).toEqual(['Hub status']);
});

test('places for administrators are shown to them only', () => {
  expect(shown('admin')).toEqual(['/', '/hub', '/admin/health']);
  expect(shown('user')).toEqual(['/', '/hub']);
  expect(shown(undefined)).toEqual(['/', '/hub']);
});
