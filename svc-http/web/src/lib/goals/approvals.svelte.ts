/** Approvals of the person over all goals, with the calls that decide them. */

import type { Api } from '../api/client';
import { Resource } from '../api/resource.svelte';
import * as calls from './api';
import { groupByGoal, keyOf, type ApprovalGroup } from './approvals';
import type { Approval, ApprovalList } from './types';

export class Approvals {
  readonly #api: Api;
  readonly list: Resource<ApprovalList>;
  /** Approvals whose decision is on its way. */
  deciding: ReadonlySet<string> = $state.raw(new Set());

  constructor(api: Api) {
    this.#api = api;
    this.list = new Resource((signal) => calls.listApprovals(api, signal));
  }

  readonly groups: readonly ApprovalGroup[] = $derived.by(() =>
    groupByGoal(this.list.value?.approvals ?? []),
  );

  /** How many wait beyond those that the server lists. */
  readonly unlisted: number = $derived.by(() => {
    const { approvals, total } = this.list.value ?? { approvals: [], total: 0 };
    return Math.max(0, total - approvals.length);
  });

  isDeciding(approval: Approval): boolean {
    return this.deciding.has(keyOf(approval));
  }

  /** Approves a task or an agent. */
  approve(approval: Approval): Promise<void> {
    const { kind, goal_id, id } = approval;
    if (goal_id == null) return Promise.resolve();
    return this.#decide(keyOf(approval), () =>
      kind === 'agent'
        ? calls.approveProposal(this.#api, goal_id, id)
        : calls.approveTask(this.#api, goal_id, id),
    );
  }

  approveTasks(goal: number): Promise<void> {
    return this.#decide(`goal-${goal}`, () => calls.approveAllTasks(this.#api, goal));
  }

  /** Rejects an agent or a request for a secret, without a reason. */
  reject(approval: Approval): Promise<void> {
    const { kind, goal_id, id } = approval;
    return this.#decide(keyOf(approval), async () => {
      if (kind === 'secret') await calls.rejectSecret(this.#api, id, {});
      else if (kind === 'agent' && goal_id != null) await calls.rejectProposal(this.#api, goal_id, id, {});
    });
  }

  provide(approval: Approval, value: string): Promise<void> {
    return this.#decide(keyOf(approval), () => calls.provideSecret(this.#api, approval.id, value));
  }

  /** Does it once at a time, then shows what still waits. What the server refuses is thrown. */
  async #decide(what: string, work: () => Promise<unknown>): Promise<void> {
    if (this.deciding.has(what)) return;
    this.deciding = new Set([...this.deciding, what]);
    try {
      await work();
    } finally {
      await this.list.load();
      this.deciding = new Set([...this.deciding].filter((one) => one !== what));
    }
  }
}
