/** Who is logged in, as the server knows this browser. */

import { asObject, asText } from '../json/read';

const PATIENCE_MILLISECONDS = 10_000;

export interface Person {
  readonly username: string;
  readonly displayName: string;
}

export class Account {
  readonly #fetch: typeof fetch;
  /** Answers to anything but the newest question are outdated. */
  #question = 0;
  #isLeaving = false;
  #lastHandle: string | undefined = $state();

  /** Unknown until the server has answered. */
  who: Person | 'nobody' | 'unknown' = $state.raw('unknown');
  /** The username of whoever is logged in, or was until the login ended. */
  readonly handle: string | undefined = $derived(
    typeof this.who === 'object' ? this.who.username : this.#lastHandle,
  );
  /** Whether the last question got no answer that says who it is. */
  unanswered = $state(false);
  /** Whether the login ended by itself while this tab was open. */
  expired = $state(false);
  /** Why logging out did not work; nothing when it did or was not tried. */
  failure: string | undefined = $state();

  constructor(fetchFrom: typeof fetch) {
    this.#fetch = fetchFrom;
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
      this.who = who;
      this.#lastHandle = who.username;
      this.expired = false;
    }
  }

  /** The server does not know the session any more. What is on screen stays until the person logs in again. */
  sessionEnded(): void {
    if (this.who !== 'unknown' && this.who !== 'nobody') this.expired = true;
    this.who = 'nobody';
  }

  /** Ends the login. That it ended is believed only when the server says so. */
  async logOut(): Promise<void> {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.failure = undefined;
    const reason = await this.#leave();
    this.#isLeaving = false;
    if (reason === undefined) {
      this.#question += 1;
      this.who = 'nobody';
      this.expired = false;
    } else {
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
      return `the server answered with status ${response.status}`;
    } catch {
      if (!running.signal.aborted) return 'the server does not answer';
      return `the server did not answer within ${PATIENCE_MILLISECONDS / 1_000} seconds`;
    } finally {
      clearTimeout(patience);
    }
  }
}

function readPerson(answer: unknown): Person | undefined {
  const fields = asObject(answer);
  const username = asText(fields?.['username']);
  if (username === undefined) return undefined;
  return { username, displayName: asText(fields?.['display_name']) ?? username };
}
