/**
 * The query of the page that asks. The address changes before the next page has arrived; until then the page
 * before is still on screen, and must not take the new query for its own.
 */

import { untrack } from 'svelte';
import type { PageRouter } from './context';

export function ownQuery(router: Pick<PageRouter, 'path' | 'query'>): { readonly current: URLSearchParams } {
  const path = untrack(() => router.path);
  let last = untrack(() => router.query);
  const query = $derived.by(() => {
    if (router.path === path) last = router.query;
    return last;
  });
  return {
    get current() {
      return query;
    },
  };
}
