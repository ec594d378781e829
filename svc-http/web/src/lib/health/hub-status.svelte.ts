/** The state of the hub as this browser sees it, kept fresh while somebody looks. */

import { clock } from '../time/clock.svelte';
import { asObject, asText } from '../json/read';
import { readReadiness, reasonsOf, type Readiness, type ReadinessStatus } from './readiness';

const INTERVAL_MILLISECONDS = 5_000;
const PATIENCE_MILLISECONDS = 4_000;

/** The hub's own word for its state, or what we know without it. */
export type Condition = 'loading' | ReadinessStatus | 'unreachable';

/** The parts of `document` that tell whether the tab is looked at. */
export type Visibility = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;

export class HubStatus {
  readonly #fetch: typeof fetch;
  #running: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The last answer. It is kept when the hub becomes unreachable, together with its age. */
  readiness: Readiness | undefined = $state.raw();
  answeredAt: Date | undefined = $state.raw();
  version: string | undefined = $state();
  /** Why the latest check brought no answer; nothing when it brought one. */
  failure: string | undefined = $state();

  readonly condition: Condition = $derived(
    this.failure === undefined ? (this.readiness?.status ?? 'loading') : 'unreachable',
  );
  readonly reasons: readonly string[] = $derived.by(() => {
    if (this.failure !== undefined) return [this.failure];
    return this.readiness ? reasonsOf(this.readiness) : [];
  });

  constructor(fetchFrom: typeof fetch) {
    this.#fetch = fetchFrom;
  }

  /** Checks now and every five seconds while the tab is visible; the result stops that. */
  watch(visibility: Visibility): () => void {
    let turn = new AbortController();
    const pause = () => {
      turn.abort();
      clearTimeout(this.#timer);
      this.#running?.abort();
    };
    const look = () => {
      pause();
      if (visibility.visibilityState !== 'visible') return;
      turn = new AbortController();
      void this.#repeat(turn.signal);
    };
    visibility.addEventListener('visibilitychange', look);
    look();
    return () => {
      visibility.removeEventListener('visibilitychange', look);
      pause();
    };
  }

  /** Asks once. A check that is still under way is given up. */
  async check(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const patience = setTimeout(() => running.abort('patience'), PATIENCE_MILLISECONDS);
    try {
      const response = await this.#fetch('/readyz', { cache: 'no-store', signal: running.signal });
      const readiness = readReadiness(await response.json().catch(() => undefined));
      if (running.signal.aborted) throw running.signal.reason;
      if (readiness) await this.#answered(readiness, running.signal);
      else this.failure = `Unexpected response with status ${response.status}; this may not be a hub.`;
    } catch {
      const { aborted, reason } = running.signal;
      if (!aborted) this.failure = 'The server is not responding.';
      else if (reason === 'patience') {
        this.failure = `The server did not respond within ${PATIENCE_MILLISECONDS / 1_000} seconds.`;
      }
    } finally {
      clearTimeout(patience);
    }
  }

  async #answered(readiness: Readiness, signal: AbortSignal): Promise<void> {
    // A hub that comes back may be a newer one.
    const versionIsOld = this.version === undefined || this.failure !== undefined;
    this.readiness = readiness;
    this.answeredAt = new Date(clock.read());
    this.failure = undefined;
    if (versionIsOld) this.version = await this.#readVersion(signal);
  }

  /** The version is optional: the status is shown without it too. */
  async #readVersion(signal: AbortSignal): Promise<string | undefined> {
    try {
      const response = await this.#fetch('/healthz', { cache: 'no-store', signal });
      return asText(asObject(await response.json())?.['version']);
    } catch {
      return undefined;
    }
  }

  /** The next check is planned when this one is over, so that slow answers do not pile up. */
  async #repeat(turn: AbortSignal): Promise<void> {
    await this.check();
    if (!turn.aborted) this.#timer = setTimeout(() => void this.#repeat(turn), INTERVAL_MILLISECONDS);
  }
}
