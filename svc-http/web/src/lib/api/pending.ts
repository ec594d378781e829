/**
 * Parts of the API that `schema.d.ts` does not have yet, written by hand. Once `npm run api` generates one of
 * them, its entry here goes, and whoever uses it takes the generated type.
 */

import type { components } from './schema';

interface Parameters {
  query?: never;
  header?: never;
  path?: never;
  cookie?: never;
}

interface NoContent {
  204: { headers: Record<string, unknown>; content?: never };
}

export interface PendingPaths {
  '/auth/confirm': {
    parameters: Parameters;
    post: {
      parameters: Parameters;
      requestBody: { content: { 'application/json': { password: string } } };
      responses: NoContent;
    };
  };
  '/api/usage': {
    parameters: Parameters;
    get: {
      parameters: Parameters;
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': UsageReport } };
      };
    };
  };
}

/** How much an owner has used of what they may use; without a limit, there is none. */
export interface UsageReport {
  files: { used_bytes: number; limit_bytes?: number | null };
  /** `window` is the time that is counted, such as `24h`. */
  messages: { used: number; limit?: number | null; window: string };
}

/** `partial` says that the search was stopped before it had looked everywhere. */
export type SearchAnswer = components['schemas']['SearchPage'] & { partial?: boolean };
