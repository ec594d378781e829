/** Who is logged in, as the server knows this browser. */

import { asObject, asText } from '../json/read';

const PATIENCE_MILLISECONDS = 10_000;

export interface Person {
  readonly username: string;
  readonly displayName: string;
}

/** What this browser holds of a person besides the login. */
interface Traces {
  /** How much was written and not sent. */
  unsaid(): number;
  /** Throws everything away. */
  forget(): Promise<void>;
  /** Before the logout: asks nothing more in this person's name. The result says how it ended. */
  hold(): Promise<(outcome: { hasLeft: boolean }) => void>;
}

const NO_TRACES: Traces = {
  unsaid: () => 0,
  forget: () => Promise.resolve(),
  hold: () => Promise.resolve(() => undefined),
};

export class Account {
  readonly #fetch: typeof fetch;
  readonly #traces: Traces;
  /** Answers to anything but the newest question are outdated. */
  #question = 0;
  #looking: Promise<void> | undefined;
  #lastHandle: string | undefined = $state();

  /** Unknown until the server has answered. */
  who: Person | 'nobody' | 'unknown' = $state.raw('unknown');
  /** The username of the current session, or of the one that has expired. */
  readonly handle: string | undefined = $derived(
    typeof this.who === 'object' ? this.who.username : this.#lastHandle,
  );
  /** Whether the last question got no answer that says who it is. */
  unanswered = $state(false);
  /** Who was here last, taken for the one who is here now because the server cannot be asked. */
  isAssumed = $state(false);
  /** Whether the login ended by itself while this tab was open. */
  expired = $state(false);
  /** Whether a logout is under way. */
  isLeaving = $state(false);
  /** How much would be lost with the logout, while that is asked about. */
  losing = $state(0);
  /** Why logging out did not work; nothing when it did or was not tried. */
  failure: string | undefined = $state();

  constructor(fetchFrom: typeof fetch, traces: Traces = NO_TRACES) {
    this.#fetch = fetchFrom;
    this.#traces = traces;
  }

  /** Takes this person for the one who is here, as long as the server does not say otherwise. */
  assume(person: Person): boolean {
    if (this.who !== 'unknown') return false;
    this.who = person;
    this.#lastHandle = person.username;
    this.isAssumed = true;
    return true;
  }

  /** Asks the server. Without a clear answer everything stays as it was. */
  async load(): Promise<void> {
    const question = ++this.#question;
    const who = await this.#ask();
    if (question !== this.#question) return;
    this.unanswered = who === undefined;
    if (who === undefined) return;
    if (who === 'nobody') this.sessionEnded();
    else {
      // The same person stays the same value, so that nothing begins anew.
      if (!isSame(this.who, who)) this.who = who;
      this.#lastHandle = who.username;
      this.isAssumed = false;
      this.expired = false;
    }
  }

  /**
   * Something was refused because nobody is logged in. A wrong password is refused with the same status, so the server
   * is asked whether the login has ended; once, however much was refused at the same time.
   */
  refused(): Promise<void> {
    if (typeof this.who !== 'object') return Promise.resolve();
    this.#looking ??= this.load().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** The server does not know the session any more. What is on screen stays until the person logs in again. */
  sessionEnded(): void {
    if (this.who !== 'unknown' && this.who !== 'nobody') this.expired = true;
    this.who = 'nobody';
    this.isAssumed = false;
  }

  /** Somebody has logged out in another tab: nothing may stay on screen here. */
  left(): void {
    this.#question += 1;
    this.who = 'nobody';
    this.isAssumed = false;
    this.expired = false;
  }

  /**
   * Ends the login. That it ended is believed only when the server says so. What was written and not sent is thrown
   * away with it, so that is asked about first.
   */
  async logOut({ isSure = false } = {}): Promise<void> {
    if (this.isLeaving) return;
    this.losing = isSure ? 0 : this.#traces.unsaid();
    if (this.losing > 0) return;
    this.isLeaving = true;
    this.failure = undefined;
    const release = await this.#traces.hold();
    const reason = await this.#leave();
    this.isLeaving = false;
    if (reason === undefined) {
      // The page is left at once afterwards, and would take what is under way with it.
      await this.#traces.forget();
      this.left();
      release({ hasLeft: true });
    } else {
      release({ hasLeft: false });
      this.failure = `You may still be logged in: ${reason}.`;
    }
  }

  /** Takes the failure off the screen. */
  dismissFailure(): void {
    this.failure = undefined;
  }

  async #ask(): Promise<Person | 'nobody' | undefined> {
    try {
      const response = await this.#fetch('/auth/me', { cache: 'no-store' });
      if (response.status === 401) return 'nobody';
      return response.ok ? readPerson(await response.json()) : undefined;
    } catch {
      return undefined;
    }
  }

  /** What went wrong, if anything did. */
  async #leave(): Promise<string | undefined> {
    const running = new AbortController();
    const patience = setTimeout(() => running.abort(), PATIENCE_MILLISECONDS);
    try {
      const response = await this.#fetch('/auth/logout', { method: 'POST', signal: running.signal });
      // With 401 the login had ended before, which is what was wanted.
      if (response.ok || response.status === 401) return undefined;
      return `the server returned status ${response.status}`;
    } catch {
      if (!running.signal.aborted) return 'the server is not responding';
      return `the server did not respond within ${PATIENCE_MILLISECONDS / 1_000} seconds`;
    } finally {
      clearTimeout(patience);
    }
  }
}

function isSame(before: Person | string, after: Person): boolean {
  return (
    typeof before === 'object' &&
    before.username === after.username &&
    before.displayName === after.displayName
  );
}

function readPerson(answer: unknown): Person | undefined {
  const fields = asObject(answer);
  const username = asText(fields?.['username']);
  if (username === undefined) return undefined;
  return { username, displayName: asText(fields?.['display_name']) ?? username };
}
