/** One run with everything that belongs to its story, and its Job in a cluster; it can be cancelled and repeated. */

import { answer, newIdempotencyKey, type Api } from '../api/client';
import { isAborted, Problem, reasonOf } from '../api/problem';
import type { ClusterRun } from '../cluster/words';
import { isOpen, type Run, type RunDetails } from './words';

/** Whether a run takes place in a cluster. */
function hasJob(details: RunDetails | undefined): boolean {
  return details?.run.cause === 'event' || details?.harness_run?.backend === 'k8s';
}

export class OneRun {
  readonly #api: Api;
  readonly #params: { readonly path: { readonly id: number } };
  #question = 0;
  /** The same retry sent again, after an answer that got lost, must not start two runs. */
  #key = newIdempotencyKey();

  details: RunDetails | undefined = $state.raw();
  /** Its Job in a cluster; nothing for other runs, and until there is one. */
  job: ClusterRun | undefined = $state.raw();
  isMissing = $state(false);
  /** Why it could not be loaded. */
  failure: string | undefined = $state();
  /** Why it could not be cancelled or repeated. */
  refusal: string | undefined = $state();
  busy = $state(false);
  /** Whether it has not ended. */
  readonly open: boolean = $derived(this.details !== undefined && isOpen(this.details.run.status));
  /** Whether the name of its Job is not known yet. No event tells of it. */
  readonly awaitsJob: boolean = $derived(this.open && hasJob(this.details) && !this.job?.job);

  constructor(api: Api, id: number) {
    this.#api = api;
    this.#params = { path: { id } };
  }

  async load(): Promise<void> {
    const question = ++this.#question;
    try {
      const details = await answer(this.#api.GET('/api/runs/{id}', { params: this.#params }));
      if (question !== this.#question) return;
      this.details = details;
      this.failure = undefined;
      this.isMissing = false;
      if (hasJob(details)) await this.#loadJob(question);
    } catch (error) {
      if (question !== this.#question || isAborted(error)) return;
      this.isMissing = error instanceof Problem && error.status === 404;
      if (!this.isMissing) this.failure = reasonOf(error);
    }
  }

  async #loadJob(question: number): Promise<void> {
    try {
      const job = await answer(this.#api.GET('/api/k8s/runs/{id}', { params: this.#params }));
      if (question === this.#question) this.job = job;
    } catch {
      // The run of a harness has no Job until the cluster takes it. The rest of the story does not need one.
    }
  }

  /** Asks it to end; whether that was taken. */
  async cancel(): Promise<boolean> {
    const run = await this.#act(() =>
      answer(this.#api.POST('/api/runs/{id}/cancel', { params: this.#params })),
    );
    if (run && this.details) {
      this.#question += 1;
      this.details = { ...this.details, run };
      await this.load();
    }
    return run !== undefined;
  }

  /** Starts another run with the same message; returns its id. */
  async retry(): Promise<number | undefined> {
    const params = { ...this.#params, header: { 'Idempotency-Key': this.#key } };
    const run = await this.#act(() => answer(this.#api.POST('/api/runs/{id}/retry', { params })));
    if (run) this.#key = newIdempotencyKey();
    return run?.id;
  }

  async #act(work: () => Promise<Run>): Promise<Run | undefined> {
    if (this.busy) return undefined;
    this.busy = true;
    this.refusal = undefined;
    try {
      return await work();
    } catch (error) {
      // A refusal is final for this key; another try is another request.
      if (error instanceof Problem) this.#key = newIdempotencyKey();
      if (!isAborted(error)) this.refusal = reasonOf(error);
      return undefined;
    } finally {
      this.busy = false;
    }
  }
}
