/** Hands the router to the pages that look at more than their parameters. */

import { createContext } from 'svelte';
import type { Router } from './router.svelte';

export const [getRouter, setRouter] =
  createContext<Pick<Router<unknown>, 'path' | 'fragment' | 'navigate'>>();
