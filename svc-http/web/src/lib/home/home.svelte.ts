/** The data of the home page: mentions, proposals, approvals, dead letters, runs and recent conversations. */

import { answer, newIdempotencyKey, type Agent, type Api, type Message, type Schemas } from '../api/client';
import { Resource } from '../api/resource.svelte';
import { DeadLetters } from '../deadletters/dead-letters.svelte';
import { Approvals } from '../goals/approvals.svelte';
import type { BudgetUse, Loop } from '../governance/words';
import { Mentions } from '../mentions/mentions.svelte';
import { setReaction } from '../messages/actions';
import type { ReactiveAgent, Run } from '../runs/words';
import type { Live } from '../live/live.svelte';
import { clock } from '../time/clock.svelte';

export type Conversation = Schemas['Conversation'];

/** How many proposals, dead letters and conversations are shown. */
export const SHOWN = 6;
/** How many mentions are shown. */
const MENTIONS = 20;
/** How many agents are asked for what is used of their budgets. */
const BUDGETS = 20;
/** Conversations of my agents with each other are among those that the server lists. */
const ASKED = 50;
/** A failed run waits for its owner this long, unless a later run of the agent succeeds. */
const FAILED_FOR = 24 * 60 * 60 * 1_000;

export class Home {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  /** Proposals of others, without the answers to them. */
  readonly proposals: Resource<{ readonly messages: readonly Message[]; readonly hasMore: boolean }>;
  /** Unread mentions. */
  readonly mentions: Mentions;
  /** Dead letters that are not acknowledged. */
  readonly letters: DeadLetters;
  readonly conversations: Resource<readonly Conversation[]>;
  /** Runs that failed, agents whose messages wait, and loops that are held. */
  readonly runs: Resource<{
    readonly failed: readonly Run[];
    readonly waiting: readonly ReactiveAgent[];
    readonly loops: readonly Loop[];
  }>;
  /** What is used of the budgets of my agents. */
  readonly budgets: Resource<readonly BudgetUse[]>;
  /** Tasks, results, agents and secrets of goals that wait for a decision. */
  readonly approvals: Approvals;
  /** Proposals whose approval or rejection is on its way. */
  deciding: ReadonlySet<number> = $state.raw(new Set());
  /** Failed runs that are being repeated. */
  retrying: ReadonlySet<number> = $state.raw(new Set());

  constructor(
    api: Api,
    live: Pick<Live, 'on'>,
    me: () => string | undefined,
    /** My agents that have a budget. */
    spending: () => readonly string[] = () => [],
  ) {
    this.#api = api;
    this.#live = live;
    this.approvals = new Approvals(api);
    this.mentions = new Mentions(api, live, 'unread', MENTIONS);
    this.letters = new DeadLetters(api, live);
    this.proposals = new Resource(async (signal) => {
      const query = { state: 'proposed' as const, limit: ASKED };
      const page = await answer(api.GET('/api/messages/by-state', { params: { query }, signal }));
      const open = page.messages.filter(({ from, reply_to }) => from !== me() && reply_to == null);
      return {
        messages: open.slice(0, SHOWN),
        hasMore: open.length > SHOWN || page.total > page.messages.length,
      };
    });
    this.runs = new Resource(async (signal) => {
      const query = { limit: ASKED };
      const [{ runs }, { agents }, { loops }] = await Promise.all([
        answer(api.GET('/api/runs', { params: { query }, signal })),
        answer(api.GET('/api/agents/reactive', { signal })),
        answer(api.GET('/api/loops', { params: { query: { held: true } }, signal })),
      ]);
      return {
        failed: lastFailures(runs, clock.read()).slice(0, SHOWN),
        waiting: agents.filter(isWaiting).slice(0, SHOWN),
        loops: loops.slice(0, SHOWN),
      };
    });
    this.budgets = new Resource((signal) =>
      Promise.all(
        spending()
          .slice(0, BUDGETS)
          .map((name) =>
            answer(api.GET('/api/agents/{name}/budget', { params: { path: { name } }, signal })),
          ),
      ),
    );
    this.conversations = new Resource(async (signal) => {
      const query = { limit: ASKED };
      return (await answer(api.GET('/api/conversations', { params: { query }, signal }))).conversations;
    });
  }

  /** Loads everything, and keeps it current until the result is called. */
  watch(): () => void {
    void this.load();
    const off = [
      this.#live.on('new_message', ({ channel }) => {
        this.conversations.loadSoon();
        if (channel !== null) this.proposals.loadSoon();
        // An agent that needs a secret may say so in a direct message only.
        else this.approvals.list.loadSoon();
      }),
      this.#live.on('unread_update', () => this.conversations.loadSoon()),
      this.#live.on('workflow_state_changed', () => this.proposals.loadSoon()),
      this.#live.on('run_changed', () => {
        this.runs.loadSoon();
        this.budgets.loadSoon();
      }),
      this.#live.on('agent_changed', () => this.runs.loadSoon()),
      this.#live.on('loop_changed', () => this.runs.loadSoon()),
      this.#live.on('goal_changed', () => this.approvals.list.loadSoon()),
      this.#live.on('reset', () => void this.load()),
    ];
    const parts = [this.mentions.watch(), this.letters.watch()];
    return () => {
      for (const stop of [...off, ...parts]) stop();
      for (const resource of this.#all()) resource.stop();
    };
  }

  async load(): Promise<void> {
    await Promise.all(this.#all().map((resource) => resource.load()));
  }

  #all(): readonly Resource<unknown>[] {
    return [
      this.mentions.list,
      this.proposals,
      this.approvals.list,
      this.letters.list,
      this.runs,
      this.budgets,
      this.conversations,
    ];
  }

  /** Conversations that have a page for this person, those with the latest messages first. */
  recent(me: string | undefined): readonly Conversation[] {
    const mine = (this.conversations.value ?? []).filter(
      ({ channel, participant, last_message }) => last_message && (channel || participant === me),
    );
    // The direct messages of two are one page, whatever they are about.
    const seen = new Set<string>();
    return mine
      .filter((conversation) => {
        const address = conversationAddress(conversation);
        return seen.has(address) ? false : seen.add(address);
      })
      .slice(0, SHOWN);
  }

  async decide(message: Message, reaction: 'approve' | 'reject'): Promise<void> {
    if (this.deciding.has(message.id)) return;
    this.deciding = new Set([...this.deciding, message.id]);
    try {
      await setReaction(this.#api, message.id, reaction);
      await this.proposals.load();
    } finally {
      this.deciding = new Set([...this.deciding].filter((id) => id !== message.id));
    }
  }

  /** Starts another run with the message of one that failed. */
  async retry({ id }: Pick<Run, 'id'>): Promise<void> {
    if (this.retrying.has(id)) return;
    this.retrying = new Set([...this.retrying, id]);
    try {
      const params = { path: { id }, header: { 'Idempotency-Key': newIdempotencyKey() } };
      await answer(this.#api.POST('/api/runs/{id}/retry', { params }));
      await this.runs.load();
    } finally {
      this.retrying = new Set([...this.retrying].filter((one) => one !== id));
    }
  }
}

/** The runs that failed within a day and were not made good by a later one of the same agent. Newest first. */
export function lastFailures(runs: readonly Run[], now: number): readonly Run[] {
  const seen = new Set<string>();
  return runs.filter(({ agent, status, ended_at }) => {
    if (!['succeeded', 'failed', 'cancelled', 'queued', 'running'].includes(status)) return false;
    const isLast = !seen.has(agent);
    seen.add(agent);
    return isLast && status === 'failed' && now - Date.parse(ended_at ?? '') < FAILED_FOR;
  });
}

/** Whether messages wait for an agent, or its run waits for a free place. What runs already waits for nobody. */
export function isWaiting({ state, pending_work }: Pick<ReactiveAgent, 'state' | 'pending_work'>): boolean {
  return state === 'queued' || (pending_work && state !== 'running');
}

/** Whether an agent gets no runs until its owner does something. A pause of the owner's own is none of these. */
export function isStopped({ quarantined_at, paused_reason }: Agent): boolean {
  return quarantined_at != null || paused_reason === 'budget';
}

export function conversationAddress({
  channel,
  with: other,
}: Pick<Conversation, 'channel' | 'with'>): string {
  return channel ? `/c/${encodeURIComponent(channel)}` : `/dm/${encodeURIComponent(other ?? '')}`;
}
