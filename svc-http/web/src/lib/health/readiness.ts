/** Reads the response of `/readyz`, and puts it into words. */

import { asDate, asList, asNumber, asObject, asText, type JsonObject } from '../json/read';

/** `unknown` stands for a word that a newer server may use. */
export type ReadinessStatus = 'ready' | 'degraded' | 'unavailable' | 'unknown';
export type WorkerState = 'idle' | 'running' | 'failing' | 'elsewhere' | 'unknown';

export interface Store {
  readonly engine: string | undefined;
  readonly ok: boolean;
  readonly error: string | undefined;
}

export interface Worker {
  readonly name: string;
  readonly state: WorkerState;
  readonly lastRunAt: Date | undefined;
  readonly lastError: string | undefined;
  readonly failures: number;
}

export interface Readiness {
  readonly status: ReadinessStatus;
  readonly store: Store | undefined;
  readonly workers: readonly Worker[];
}

const STATUSES = ['ready', 'degraded', 'unavailable'] as const;
const WORKER_STATES = ['idle', 'running', 'failing', 'elsewhere'] as const;
const ENGINES: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** Reads the body of `/readyz`; nothing when it is not such a body at all. */
export function readReadiness(body: unknown): Readiness | undefined {
  const answer = asObject(body);
  if (asText(answer?.['status']) === undefined) return undefined;
  return {
    status: STATUSES.find((status) => status === answer?.['status']) ?? 'unknown',
    store: readStore(asObject(answer?.['store'])),
    workers: readWorkers(answer?.['workers']),
  };
}

/** Reads a list of workers; what is none is left out. */
export function readWorkers(list: unknown): readonly Worker[] {
  return asList(list).flatMap((worker) => readWorker(asObject(worker)) ?? []);
}

/** Why the hub is not simply ready, most important first. Empty when there is nothing to say. */
export function reasonsOf(readiness: Readiness): string[] {
  const reasons: string[] = [];
  if (readiness.store && !readiness.store.ok) {
    reasons.push(`The database is unavailable: ${readiness.store.error ?? 'no reason given'}.`);
  }
  for (const worker of readiness.workers) {
    if (worker.state === 'failing') reasons.push(reasonOfFailing(worker));
  }
  if (readiness.status !== 'ready' && reasons.length === 0) reasons.push('No reason given.');
  return reasons.map((reason) => reason.replace(/[.\s]+$/, '.'));
}

export function engineName(engine: string): string {
  return ENGINES[engine] ?? engine;
}

/** `event_retention` as people write it. */
export function workerTitle(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .replace(/^oauth\b/, 'OAuth');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function reasonOfFailing(worker: Worker): string {
  const times = worker.failures > 1 ? ` ${worker.failures} times in a row` : '';
  const reason = worker.lastError === undefined ? '' : `: ${worker.lastError}`;
  return `${workerTitle(worker.name)} failed${times}${reason}.`;
}

function readStore(store: JsonObject | undefined): Store | undefined {
  if (!store) return undefined;
  const error = asText(store['error']);
  return { engine: asText(store['engine']), ok: store['ok'] !== false && error === undefined, error };
}

function readWorker(worker: JsonObject | undefined): Worker | undefined {
  const name = asText(worker?.['name']);
  if (!worker || name === undefined) return undefined;
  return {
    name,
    state: WORKER_STATES.find((state) => state === worker['state']) ?? 'unknown',
    lastRunAt: asDate(worker['last_run_at']),
    lastError: asText(worker['last_error']),
    failures: asNumber(worker['failures']) ?? 0,
  };
}
