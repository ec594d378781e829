/** What pages may ask of the router. They get it as `getApp().router`. */

import type { Router } from './router.svelte';

export type PageRouter = Pick<
  Router<unknown>,
  'path' | 'address' | 'fragment' | 'query' | 'navigate' | 'setQuery'
>;
