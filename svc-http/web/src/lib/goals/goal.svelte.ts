/** One goal with its tasks, its cost, its agents, its requests for secrets and what happened. */

import type { Api } from '../api/client';
import { Problem } from '../api/problem';
import { Resource } from '../api/resource.svelte';
import type { Live } from '../live/live.svelte';
import * as calls from './api';
import { allTasks } from './tree';
import type {
  DecisionNote,
  GoalChanges,
  GoalCompletion,
  GoalDetail,
  GoalTask,
  SecretRequest,
  TaskRollup,
  TaskVerdict,
} from './types';

/** The server gives no more at once. */
const REQUESTS_MAX = 200;

export class OneGoal {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  readonly id: number;
  readonly #detail: Resource<GoalDetail>;
  readonly #requests: Resource<readonly SecretRequest[]>;
  /** Decisions on their way, by a name that says about what. */
  busy: ReadonlySet<string> = $state.raw(new Set());

  constructor(api: Api, live: Pick<Live, 'on'>, id: number) {
    this.#api = api;
    this.#live = live;
    this.id = id;
    this.#detail = new Resource((signal) => calls.getGoal(api, id, signal));
    this.#requests = new Resource(async (signal) => {
      const page = await calls.listSecretRequests(api, { status: 'requested', limit: REQUESTS_MAX }, signal);
      return page.requests.filter(({ goal_id }) => goal_id === id);
    });
  }

  get detail(): GoalDetail | undefined {
    return this.#detail.value;
  }

  /** Requests for secrets of this goal that wait. */
  get requests(): readonly SecretRequest[] {
    return this.#requests.value ?? [];
  }

  get isMissing(): boolean {
    const { error } = this.#detail;
    return error instanceof Problem && (error.status === 404 || error.status === 403);
  }

  /** Why it could not be loaded. */
  get failure(): string | undefined {
    return this.isMissing ? undefined : (this.#detail.failure ?? this.#requests.failure);
  }

  /** The cost of each task with the tasks below it. */
  readonly rollup: ReadonlyMap<number, TaskRollup> = $derived(
    new Map((this.detail?.rollup ?? []).map((line) => [line.task_id, line])),
  );

  readonly tasks: readonly GoalTask[] = $derived(allTasks(this.detail?.tasks ?? []));

  /** How many tasks wait for an approval. */
  readonly proposed: number = $derived(this.tasks.filter(({ status }) => status === 'proposed').length);

  task(id: number | undefined): GoalTask | undefined {
    return this.tasks.find((task) => task.id === id);
  }

  async load(): Promise<void> {
    await Promise.all([this.#detail.load(), this.#requests.load()]);
  }

  /** Loads everything, and keeps it current until the result is called. */
  watch(): () => void {
    void this.load();
    const soon = () => {
      this.#detail.loadSoon();
      this.#requests.loadSoon();
    };
    const off = [
      this.#live.on('goal_changed', ({ goal_id }) => {
        if (goal_id === this.id) soon();
      }),
      this.#live.on('new_message', ({ channel }) => {
        if (channel !== null && channel === this.detail?.channel) this.#detail.loadSoon();
        // An agent that needs a secret may say so in a direct message only.
        if (channel === null) this.#requests.loadSoon();
      }),
      this.#live.on('agent_changed', ({ agent }) => {
        if (this.detail?.spawned_agents.some(({ name }) => name === agent)) this.#detail.loadSoon();
      }),
      this.#live.on('reset', () => void this.load()),
    ];
    return () => {
      for (const stop of off) stop();
      this.#detail.stop();
      this.#requests.stop();
    };
  }

  change(changes: GoalChanges): Promise<void> {
    return this.#decide('goal', () => calls.changeGoal(this.#api, this.id, changes));
  }

  complete(completion: GoalCompletion): Promise<void> {
    return this.#decide('goal', () => calls.completeGoal(this.#api, this.id, completion));
  }

  approveAll(): Promise<void> {
    return this.#decide('approve-all', () => calls.approveAllTasks(this.#api, this.id));
  }

  approveTask(task: number): Promise<void> {
    return this.#decide(`task-${task}`, () => calls.approveTask(this.#api, this.id, task));
  }

  verifyTask(task: number, verdict: TaskVerdict): Promise<void> {
    return this.#decide(`task-${task}`, () => calls.verifyTask(this.#api, this.id, task, verdict));
  }

  reopenTask(task: number, note: DecisionNote): Promise<void> {
    return this.#decide(`task-${task}`, () => calls.reopenTask(this.#api, this.id, task, note));
  }

  cancelTask(task: number, note: DecisionNote): Promise<void> {
    return this.#decide(`task-${task}`, () => calls.cancelTask(this.#api, this.id, task, note));
  }

  approveAgent(number: number): Promise<void> {
    return this.#decide(`proposal-${number}`, () => calls.approveProposal(this.#api, this.id, number));
  }

  rejectAgent(number: number, note: DecisionNote): Promise<void> {
    return this.#decide(`proposal-${number}`, () => calls.rejectProposal(this.#api, this.id, number, note));
  }

  provideSecret(request: number, value: string): Promise<void> {
    return this.#decide(`secret-${request}`, () => calls.provideSecret(this.#api, request, value));
  }

  rejectSecret(request: number, note: DecisionNote): Promise<void> {
    return this.#decide(`secret-${request}`, () => calls.rejectSecret(this.#api, request, note));
  }

  /** Does it once at a time, then shows what came of it. What the server refuses is thrown. */
  async #decide(what: string, work: () => Promise<unknown>): Promise<void> {
    if (this.busy.has(what)) return;
    this.busy = new Set([...this.busy, what]);
    try {
      await work();
    } finally {
      // Also after a refusal: what was on screen was outdated then.
      await this.load();
      this.busy = new Set([...this.busy].filter((one) => one !== what));
    }
  }
}
