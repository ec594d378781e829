/** Runs, newest first: a list that grows at both ends and follows the events of the hub. */

import { answer, type Api } from '../api/client';
import { LiveList } from '../api/live-list.svelte';
import { STATUSES, type Run, type RunStatus } from './words';

export interface RunFilter {
  readonly agent?: string | undefined;
  readonly status?: RunStatus | undefined;
}

/** The filter that an address asks for. */
export function readFilter(query: URLSearchParams): RunFilter {
  const wanted = query.get('status');
  return {
    agent: query.get('agent') || undefined,
    status: STATUSES.find(({ value }) => value === wanted)?.value,
  };
}

export class Runs extends LiveList<Run, RunFilter> {
  constructor(api: Api) {
    super(async ({ agent, status }, { limit, cursor }) => {
      const query = {
        limit,
        ...(agent === undefined ? {} : { agent }),
        ...(status === undefined ? {} : { status }),
        ...(cursor === undefined ? {} : { cursor }),
      };
      const { runs, next_cursor } = await answer(api.GET('/api/runs', { params: { query } }));
      return { items: runs, next_cursor };
    });
  }
}
