/** How a call can fail: the server said why, or it could not be asked. */

import { binarySize } from '../messages/size';
import { durationInWords } from '../time/relative';

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** What the server answered instead of what was asked for, after RFC 9457. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  /** A stable word such as `already_claimed`. */
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly fields: readonly FieldProblem[];
  /** Everything that the answer says, also what only some codes have. */
  readonly members: Readonly<Record<string, unknown>>;
  /** After how many seconds another try makes sense, where the server said so. */
  readonly retryAfter: number | undefined;

  constructor(about: {
    status: number;
    code?: string;
    title?: string;
    detail?: string;
    fields?: readonly FieldProblem[];
    members?: Readonly<Record<string, unknown>>;
    retryAfter?: number | undefined;
  }) {
    const detail = about.detail ?? about.title ?? `The server returned status ${about.status}.`;
    super(detail);
    this.status = about.status;
    this.code = about.code ?? 'unknown';
    this.title = about.title ?? `Status ${about.status}`;
    this.detail = detail;
    this.fields = about.fields ?? [];
    this.members = about.members ?? {};
    this.retryAfter = about.retryAfter;
  }

  /** What is wrong with one field, if that is what is wrong. */
  field(name: string): string | undefined {
    return this.fields.find(({ field }) => field === name)?.message;
  }

  /** A number that only some codes have. */
  number(name: string): number | undefined {
    const value = this.members[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }
}

/** The server could not be asked, or its answer got lost on the way. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor() {
    super('The server is not responding. Check your connection and try again.');
  }
}

/** Whether the server, or what stands before it, could not be reached. */
export function isAway(thrown: unknown): boolean {
  return thrown instanceof Unreachable || (thrown instanceof Problem && thrown.status >= 502);
}

/** One sentence for the person, whatever was thrown. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Problem) {
    const quota = quotaWords(thrown);
    if (quota !== undefined) return quota;
    // The detail usually names the fields already.
    const fields = thrown.fields.filter(({ message }) => !thrown.detail.includes(message));
    const more = fields.map(({ field, message }) => `${field} ${message}`).join('; ');
    const detail = more === '' ? thrown.detail : `${thrown.detail} (${more})`;
    return again(detail, thrown.retryAfter);
  }
  if (thrown instanceof Unreachable) return thrown.message;
  return 'Something went wrong. Reload the page.';
}

/** Whether the call was given up by ourselves, which is nothing to report. */
export function isAborted(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}

/** Many details say themselves when to try again. */
function again(detail: string, retryAfter: number | undefined): string {
  if (retryAfter === undefined || /try again in \d/i.test(detail)) return detail;
  return `${detail} Try again in ${durationInWords(retryAfter)}.`;
}

/** What to do when a person has used up what they may use; the numbers are in the answer. */
function quotaWords(problem: Problem): string | undefined {
  if (problem.code === 'file_quota_exceeded') {
    const [used, limit] = [problem.number('used_bytes'), problem.number('limit_bytes')];
    const numbers =
      used === undefined || limit === undefined
        ? ''
        : `: you have used ${binarySize(used)} of ${binarySize(limit)}`;
    return `Not enough storage${numbers}. Choose a smaller file, or ask an administrator for more storage.`;
  }
  if (problem.code === 'message_quota_exceeded') {
    const [used, limit] = [problem.number('used'), problem.number('limit')];
    const numbers =
      used === undefined || limit === undefined
        ? ''
        : `: ${used.toLocaleString('en')} of ${limit.toLocaleString('en')} in 24 hours`;
    const detail = `You and your agents have reached the limit for messages${numbers}.`;
    return again(detail, problem.retryAfter);
  }
  return undefined;
}
