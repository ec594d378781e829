/** How a call can fail: the server said why, or it could not be asked. */

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
  /** After how many seconds another try makes sense, where the server said so. */
  readonly retryAfter: number | undefined;

  constructor(about: {
    status: number;
    code?: string;
    title?: string;
    detail?: string;
    fields?: readonly FieldProblem[];
    retryAfter?: number | undefined;
  }) {
    const detail = about.detail ?? about.title ?? `The server answered with status ${about.status}.`;
    super(detail);
    this.status = about.status;
    this.code = about.code ?? 'unknown';
    this.title = about.title ?? `Status ${about.status}`;
    this.detail = detail;
    this.fields = about.fields ?? [];
    this.retryAfter = about.retryAfter;
  }

  /** What is wrong with one field, if that is what is wrong. */
  field(name: string): string | undefined {
    return this.fields.find(({ field }) => field === name)?.message;
  }
}

/** The server could not be asked, or its answer got lost on the way. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor() {
    super('The server does not answer. Check the connection and try again.');
  }
}

/** Whether the server, or what stands before it, could not be reached. */
export function isAway(thrown: unknown): boolean {
  return thrown instanceof Unreachable || (thrown instanceof Problem && thrown.status >= 502);
}

/** One sentence for the person, whatever was thrown. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Problem) {
    // The detail usually names the fields already.
    const fields = thrown.fields.filter(({ message }) => !thrown.detail.includes(message));
    const more = fields.map(({ field, message }) => `${field} ${message}`).join('; ');
    const detail = more === '' ? thrown.detail : `${thrown.detail} (${more})`;
    return thrown.retryAfter === undefined ? detail : `${detail} Try again in ${thrown.retryAfter} seconds.`;
  }
  if (thrown instanceof Unreachable) return thrown.message;
  return 'Something unexpected went wrong in this page. Load it again.';
}

/** Whether the call was given up by ourselves, which is nothing to report. */
export function isAborted(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}
