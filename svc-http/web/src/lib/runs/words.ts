/** Runs in words: their status, what started them, why they failed and what to do about it. */

import type { Message, Schemas } from '../api/client';

export type Run = Schemas['Run'];
export type RunStatus = Schemas['RunStatus'];
export type RunDetails = Schemas['RunDetails'];
export type HarnessRun = Schemas['HarnessRun'];
export type ReactiveAgent = Schemas['ReactiveAgent'];
export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad';

export const STATUSES: readonly { value: RunStatus; title: string; tone: Tone }[] = [
  { value: 'queued', title: 'Queued', tone: 'plain' },
  { value: 'running', title: 'Running', tone: 'accent' },
  { value: 'succeeded', title: 'Succeeded', tone: 'good' },
  { value: 'failed', title: 'Failed', tone: 'bad' },
  { value: 'cancelled', title: 'Cancelled', tone: 'plain' },
  { value: 'quarantined', title: 'Quarantined', tone: 'bad' },
  { value: 'paused', title: 'Paused', tone: 'warn' },
  { value: 'depth_exceeded', title: 'Chain too long', tone: 'warn' },
  { value: 'budget_exhausted', title: 'Out of budget', tone: 'warn' },
  { value: 'cooldown_skipped', title: 'In cooldown', tone: 'plain' },
  { value: 'coalesced', title: 'Joined next run', tone: 'plain' },
];

/** A status that a newer server has is shown as it is. */
export function statusInWords(status: string): { title: string; tone: Tone } {
  return STATUSES.find(({ value }) => value === status) ?? { title: status, tone: 'plain' };
}

/** Whether a run has not ended yet. */
export function isOpen(status: string): boolean {
  return status === 'queued' || status === 'running';
}

/** Whether a trigger started no run. */
export function isRefused(status: string): boolean {
  return !isOpen(status) && !['succeeded', 'failed', 'cancelled'].includes(status);
}

const CAUSES: Readonly<Record<string, string>> = {
  message: 'A message',
  waiting: 'Waiting messages',
  request: 'Run now',
  retry: 'Retry',
  event: 'Event',
};

export function causeInWords(cause: string): string {
  return CAUSES[cause] ?? cause;
}

/** Why a trigger started no run, what becomes of the message, and what to do. */
const REFUSALS: Readonly<Record<string, string>> = {
  quarantined:
    'The agent is quarantined. The message waits; it starts a run after you lift the quarantine on the agent’s page.',
  paused:
    'The agent is paused, or it is held in a loop with the sender. The message waits until the agent is resumed or the loop is lifted.',
  depth_exceeded:
    'The message is too deep in a chain of agents that trigger each other. It starts no run. Raise the maximum chain depth if such chains are intended.',
  budget_exhausted:
    'The budget of the agent has no room for another run. The message waits until the next period. Raise the limit to run it earlier.',
  cooldown_skipped: 'The last run ended too recently. The message waits until the cooldown ends.',
  coalesced: 'Another run of the agent was queued or running. The message waits until that run ends.',
};

/** The same for an event of a handler. It does not wait: another Job starts only when somebody retries it. */
const EVENT_REFUSALS: Readonly<Record<string, string>> = {
  quarantined:
    'The agent is quarantined, so the event started no Job. Lift the quarantine on the agent’s page, then retry.',
  paused:
    'The agent is paused, or it is held in a loop with the sender, so the event started no Job. Resume the agent or lift the loop, then retry.',
  depth_exceeded:
    'The event is too deep in a chain of agents that trigger each other, so it started no Job. Raise the maximum chain depth if such chains are intended, then retry.',
  budget_exhausted:
    'The budget of the agent has no room for another run, so the event started no Job. Raise the limit or wait for the next period, then retry.',
};

export function refusalInWords(status: string, cause = 'message'): string | undefined {
  return (cause === 'event' ? EVENT_REFUSALS[status] : undefined) ?? REFUSALS[status];
}

/** A few words for lists, and a sentence that says what to do. */
const ERRORS: Readonly<Record<string, readonly [title: string, text: string]>> = {
  settings: [
    'Invalid harness',
    'The harness is missing or not valid. Set it up in the tab Harness of the agent.',
  ],
  not_started: [
    'Could not start',
    'The command or image was not found, or it could not be started. Check the command in the harness, and that it is installed on the server.',
  ],
  work_directory: [
    'No work directory',
    'The server could not prepare the work directory. Check the disk space and the permissions of the data directory.',
  ],
  confinement: [
    'Not confined',
    'The server requires confinement that this machine does not offer. Ask an administrator to check the setting run-confinement.',
  ],
  timeout: [
    'Timed out',
    'The run took longer than its time limit. Raise the timeout in the harness, or give the agent less to do.',
  ],
  memory: ['Out of memory', 'The run used more memory than it may. Raise the memory limit in the harness.'],
  processes: [
    'Too many processes',
    'The run started more processes than it may. Check the command for runaway processes.',
  ],
  exit_code: ['Non-zero exit code', 'The command ended with an error. The end of the log usually says why.'],
  signal: [
    'Ended by a signal',
    'The process was ended from outside, for example because the machine ran out of memory. Retry the run.',
  ],
  report: [
    'Reported an error',
    'The agent reported an error, or its result could not be read. Check the log.',
  ],
  limit: [
    'Limit reached',
    'The run passed its own limit on cost or tokens. Raise the limit in the harness, or retry.',
  ],
  interrupted: [
    'Interrupted',
    'The server stopped during the run. The messages wait again; retry the run if nothing else starts it.',
  ],
  unreachable: [
    'Could not connect',
    'The URL of the harness is not allowed or could not be reached. Check the URL and the endpoint.',
  ],
  status: [
    'Error response',
    'The endpoint did not respond with a 2xx status. Check the log of the endpoint.',
  ],
  secret: [
    'Secret missing',
    'A secret that the run needs is missing or not valid. Set it with svc-admin secrets set.',
  ],
  cluster_unavailable: [
    'No cluster',
    'There is no Kubernetes cluster to run it on, or it does not answer. Ask an administrator to set KUBECONFIG or to check the cluster, then retry.',
  ],
  cluster_forbidden: [
    'Not allowed by cluster',
    'The cluster does not let the hub create the Job. Ask an administrator to check the credential of the hub and its role in this namespace.',
  ],
  cluster_refused: [
    'Refused by cluster',
    'The cluster did not accept the Job. Check that its namespace and service account exist, and that a quota or policy allows it.',
  ],
  image: [
    'Image not usable',
    'The image could not be pulled, or the cluster does not let it run. Check its name and tag, and that the cluster can access the registry.',
  ],
  evicted: [
    'Evicted',
    'The cluster ended the pod, for example because its node ran low on memory or is gone. Retry the run.',
  ],
  job_deleted: ['Job deleted', 'Somebody deleted the Job or its pod in the cluster. Retry the run.'],
  backlog: [
    'Too many Jobs',
    'Too many Jobs of the owner were queued or running, so this one was not started. Wait for some to end, then retry.',
  ],
  handler_deleted: [
    'Handler deleted',
    'The handler was deleted before its Job started. Add the handler again for events to come.',
  ],
  internal: [
    'Server error',
    'The server failed. Retry the run; if it fails again, ask an administrator to check the log of the server.',
  ],
  agent_deleted: ['Agent deleted', 'The agent was deleted during the run.'],
};

/** Takes any text: a newer server may have other kinds of failures. */
export function errorInWords(error: string): { title: string; text: string } {
  const [title, text] = ERRORS[error] ?? [error, 'Check the log of the run.'];
  return { title, text };
}

/** Why a run failed, or was cancelled by the hub itself; nothing when there is no more to say than its status. */
export function failureInWords({
  status,
  error,
}: {
  readonly status: string;
  readonly error?: string | null | undefined;
}): { title: string; text: string } | undefined {
  if (!error) return undefined;
  if (status === 'failed' || (status === 'cancelled' && error in ERRORS)) return errorInWords(error);
  return undefined;
}

/** `35 ms`, `1.2 s`, `3 min 5 s`, `2 h 10 min` */
export function spanOf(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds));
  if (whole < 1_000) return `${whole} ms`;
  if (whole < 60_000) return `${(whole / 1_000).toFixed(1)} s`;
  const seconds = Math.floor(whole / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** How long a run has taken, or takes so far; nothing before it has started. */
export function durationOf(run: Pick<Run, 'started_at' | 'ended_at'>, now: number): string | undefined {
  if (!run.started_at) return undefined;
  const end = run.ended_at ? Date.parse(run.ended_at) : now;
  return spanOf(end - Date.parse(run.started_at));
}

/** `$0.0042`, `$0.01`, `$1.20` */
export function moneyOf(usd: number): string {
  if (usd > 0 && usd < 0.0001) return 'under $0.0001';
  const digits = Math.abs(usd) < 0.1 ? 4 : 2;
  return `$${usd.toFixed(digits).replace(/(\.\d\d)(\d*?)0+$/, '$1$2')}`;
}

/** `1,204` */
export function countOf(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Where a message is read: in its channel, with me, or in the conversation of the agent. */
export function messageAddress(
  message: Pick<Message, 'id' | 'channel' | 'from' | 'to'>,
  agent: string,
  me: string | undefined,
): string {
  const { id, channel, from, to } = message;
  if (channel) return `/c/${encodeURIComponent(channel)}?m=${id}`;
  const other = from === agent ? (to ?? '') : from;
  if (other === me) return `/dm/${encodeURIComponent(agent)}?m=${id}`;
  return `/agents/${encodeURIComponent(agent)}/with/${encodeURIComponent(other)}?m=${id}`;
}

const STATES: Readonly<Record<string, { title: string; tone: Tone }>> = {
  idle: { title: 'Idle', tone: 'plain' },
  queued: { title: 'Queued', tone: 'accent' },
  running: { title: 'Running', tone: 'accent' },
  cooldown: { title: 'Cooldown', tone: 'plain' },
  budget_exhausted: { title: 'Out of budget', tone: 'warn' },
  paused: { title: 'Paused', tone: 'warn' },
  quarantined: { title: 'Quarantined', tone: 'bad' },
};

/** What a reactive agent does at the moment. */
export function stateInWords(state: string): { title: string; tone: Tone } {
  return STATES[state] ?? { title: state, tone: 'plain' };
}
