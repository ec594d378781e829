import { expect, test } from 'vitest';
import { ownQuery } from './own-query.svelte';

test('a page keeps its query while the next page is on its way', () => {
  const router = { path: '/agents/bot', query: new URLSearchParams('tab=keys') };
  const query = ownQuery(router);
  expect(query.current.get('tab')).toBe('keys');
  router.query = new URLSearchParams('tab=traces');
  expect(query.current.get('tab')).toBe('traces');
  router.path = '/agents';
  router.query = new URLSearchParams();
  expect(query.current.get('tab')).toBe('traces');
});
