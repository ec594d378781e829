/** The timeline of a goal, in sentences. */

import { countOf, moneyOf } from '../runs/words';
import { goalStatusInWords, taskStatusInWords } from './words';
import type { TimelineEntry } from './types';

/** The verb of a move of a task, by the status after it. */
const TASK_VERBS: Readonly<Record<string, string>> = {
  proposed: 'proposed',
  approved: 'approved',
  claimed: 'claimed',
  in_progress: 'started',
  awaiting_verification: 'submitted',
  done: 'finished',
  failed: 'failed',
  cancelled: 'cancelled',
};

const GOAL_VERBS: Readonly<Record<string, string>> = {
  draft: 'created the goal',
  active: 'started the goal',
  completed: 'completed the goal',
  stuck: 'reported that the goal is stuck',
  cancelled: 'cancelled the goal',
};

/** A sentence about an entry, without its time. The reason or the beginning of the message stands beside it. */
export function entryInWords(entry: TimelineEntry): string {
  const who = entry.by ? `@${entry.by}` : undefined;
  const subject = entry.subject ? `“${entry.subject}”` : undefined;
  switch (entry.kind) {
    case 'goal':
      return goalWords(entry, who);
    case 'tree':
      return who ? `${who} proposed tasks` : 'Tasks were proposed';
    case 'task':
      return taskWords(entry, who, subject ?? 'a task');
    case 'spend': {
      const on = subject ? ` on ${subject}` : '';
      return who ? `${who} spent ${costOf(entry)}${on}` : `${costOf(entry)} spent${on}`;
    }
    case 'proposal':
      return proposalWords(entry, who);
    case 'alert':
      return alertWords(entry, subject);
    case 'message':
      return who ? `${who} wrote` : 'The hub wrote';
    default:
      return entry.text ?? String(entry.kind);
  }
}

function goalWords({ from, to }: TimelineEntry, who: string | undefined): string {
  const after = to ?? '';
  if (who === undefined) return `The goal is ${goalStatusInWords(after).title.toLowerCase()}`;
  if (from === 'stuck' && to === 'active') return `${who} resumed the goal`;
  return `${who} ${GOAL_VERBS[after] ?? 'changed the goal'}`;
}

function taskWords({ from, to }: TimelineEntry, who: string | undefined, subject: string): string {
  const after = to ?? '';
  if (who === undefined) return `${subject} is ${taskStatusInWords(after).title.toLowerCase()}`;
  if (from === 'failed' && to === 'approved') return `${who} reopened ${subject}`;
  if (from === 'awaiting_verification' && to === 'done') return `${who} accepted the result of ${subject}`;
  if (from === 'awaiting_verification' && to !== 'cancelled')
    return `${who} rejected the result of ${subject}`;
  if (to === 'failed') return `${who} gave up on ${subject}`;
  if ((from === 'claimed' || from === 'in_progress') && to === 'approved')
    return `${who} released ${subject}`;
  return `${who} ${TASK_VERBS[after] ?? 'changed'} ${subject}`;
}

function proposalWords({ subject, to }: TimelineEntry, who: string | undefined): string {
  const agent = subject ? `@${subject}` : 'an agent';
  const verb = to === 'approved' ? 'approved' : to === 'rejected' ? 'rejected' : 'proposed';
  return who ? `${who} ${verb} the agent ${agent}` : `The agent ${agent} was ${verb}`;
}

/** The hub's own words, which go on after the name of the goal there. */
function alertWords({ text, to }: TimelineEntry, subject: string | undefined): string {
  const of = subject ? ` of ${subject}` : '';
  if (text) return text.charAt(0).toUpperCase() + text.slice(1);
  return to === 'stuck' ? `The budget${of} is used up` : `Much of the budget${of} is used`;
}

/** `$0.12 and 1,204 tokens` */
export function costOf({ usd, tokens }: Pick<TimelineEntry, 'usd' | 'tokens'>): string {
  const parts = [
    ...(usd != null && (usd > 0 || !tokens) ? [moneyOf(usd)] : []),
    ...(tokens != null && tokens > 0 ? [tokens === 1 ? '1 token' : `${countOf(tokens)} tokens`] : []),
  ];
  return parts.join(' and ') || 'nothing';
}

/** Words beside the sentence. An alert consists of its text already. */
export function remarkOf({ kind, to, text }: TimelineEntry): string | undefined {
  if (kind === 'alert') return undefined;
  if (kind === 'goal' && to === 'stuck' && text === 'budget') return 'The budget is used up.';
  return text || undefined;
}

/** Where an entry leads: its message, its run, or its task. */
export function entryAddress(entry: TimelineEntry, channel: string | null | undefined): string | undefined {
  if (entry.message_id != null && channel) return `/c/${encodeURIComponent(channel)}?m=${entry.message_id}`;
  if (entry.run_id != null) return `/runs/${entry.run_id}`;
  if (entry.task_id != null) return `?task=${entry.task_id}`;
  return undefined;
}
