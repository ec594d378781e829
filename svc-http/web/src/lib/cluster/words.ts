/** Cluster jobs in words: what a handler may use, and what a Job is called. */

import type { Schemas } from '../api/client';

export type Handler = Schemas['K8sHandler'];
export type NewHandler = Schemas['CreateK8sHandler'];
export type Cluster = Schemas['K8sCluster'];
export type ClusterRun = Schemas['K8sRun'];

/** As many as the server takes of one agent. */
export const HANDLERS_MAX = 10;

/** `512Mi memory, 500m CPU, 10 min` */
export function limitsInWords({
  memory,
  cpu,
  timeout_seconds,
}: Pick<Handler, 'memory' | 'cpu' | 'timeout_seconds'>): string {
  return [memory && `${memory} memory`, cpu && `${cpu} CPU`, `${timeInWords(timeout_seconds)} time limit`]
    .filter(Boolean)
    .join(', ');
}

/** `90 s`, `10 min`, `1 h` */
export function timeInWords(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** `namespace/name`; nothing until the Job is created. */
export function jobName({ namespace, job }: Pick<ClusterRun, 'namespace' | 'job'>): string | undefined {
  if (!job) return undefined;
  return namespace ? `${namespace}/${job}` : job;
}

/** The id of the heading of a handler. */
export function headingId(handler: number): string {
  return `handler-${handler}`;
}
