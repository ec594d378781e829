/** The Jobs of an agent, newest first: a list that grows at both ends and follows the events of the hub. */

import { answer, type Api } from '../api/client';
import { LiveList } from '../api/live-list.svelte';
import type { ClusterRun } from './words';

export class Jobs extends LiveList<ClusterRun, string> {
  constructor(api: Api) {
    super(async (agent, page) => {
      const query = { agent, ...page };
      const { runs, next_cursor } = await answer(api.GET('/api/k8s/runs', { params: { query } }));
      return { items: runs, next_cursor };
    });
  }
}
