/** Reactions and the states they lead to. */

import type { Message, Schemas } from '../api/client';

export type ReactionKind = Schemas['ReactionKind'];
export type WorkflowState = Schemas['WorkflowState'];
export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad';

interface Described<Word extends string> {
  readonly word: Word;
  readonly title: string;
  readonly hint: string;
}

/** In rising priority: the last one present decides the state. */
export const REACTIONS: readonly (Described<ReactionKind> & {
  readonly state: WorkflowState;
})[] = [
  {
    word: 'approve',
    state: 'approved',
    title: 'Approve',
    hint: 'Approve the proposal',
  },
  {
    word: 'in_progress',
    state: 'in_progress',
    title: 'In progress',
    hint: 'Claim the work; no one else can take it',
  },
  {
    word: 'reject',
    state: 'rejected',
    title: 'Reject',
    hint: 'Reject the proposal',
  },
  { word: 'done', state: 'done', title: 'Done', hint: 'Mark the work as finished' },
  { word: 'published', state: 'published', title: 'Published', hint: 'Mark the result as published' },
];

/** In the order of the work, as on the board; what is finished comes last. */
export const STATES: readonly {
  readonly word: WorkflowState;
  readonly title: string;
  readonly tone: Tone;
  /** Whether nothing more happens to the message. */
  readonly isFinished?: boolean;
}[] = [
  { word: 'proposed', title: 'Proposed', tone: 'plain' },
  { word: 'approved', title: 'Approved', tone: 'accent' },
  { word: 'in_progress', title: 'In progress', tone: 'warn' },
  { word: 'done', title: 'Done', tone: 'good', isFinished: true },
  { word: 'published', title: 'Published', tone: 'good', isFinished: true },
  { word: 'rejected', title: 'Rejected', tone: 'bad', isFinished: true },
];

export function reactionOf(word: ReactionKind) {
  return REACTIONS.find((reaction) => reaction.word === word) ?? REACTIONS[0]!;
}

export function stateOf(word: WorkflowState) {
  return STATES.find((state) => state.word === word) ?? STATES[0]!;
}

/** Whether the reactions of a message are steps of a workflow: its channel has one, or it has a state. */
export function hasWorkflow(
  message: Pick<Message, 'workflow_state'>,
  channel: { readonly workflow_enabled?: boolean } | undefined,
): boolean {
  return channel?.workflow_enabled === true || message.workflow_state != null;
}

export interface ReactionCount {
  readonly kind: ReactionKind;
  readonly by: readonly string[];
  readonly mine: boolean;
}

/** The reactions on a message, gathered by kind. */
export function countReactions(reactions: Message['reactions'], me: string | undefined): ReactionCount[] {
  return REACTIONS.flatMap(({ word }) => {
    const by = reactions.filter(({ reaction }) => reaction === word).map((reaction) => reaction.by);
    return by.length === 0 ? [] : [{ kind: word, by, mine: me !== undefined && by.includes(me) }];
  });
}

export interface Move {
  /** My reactions that have to go, because they would outweigh the wanted one. */
  readonly remove: readonly ReactionKind[];
  readonly add: ReactionKind | undefined;
}

/** What I have to do so that a message comes to a state, as far as my reactions can bring it there. */
export function moveTo(
  message: Pick<Message, 'reactions'>,
  target: WorkflowState,
  me: string | undefined,
): Move {
  const order = REACTIONS.map(({ state }) => state);
  const wanted = order.indexOf(target);
  const mine = message.reactions.filter(({ by }) => by === me).map(({ reaction }) => reaction);
  const remove = mine.filter((kind) => order.indexOf(reactionOf(kind).state) > wanted);
  const kind = REACTIONS[wanted]?.word;
  return { remove, add: kind === undefined || mine.includes(kind) ? undefined : kind };
}
