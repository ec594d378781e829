/**
 * Profiles of people and agents: avatar, status, when they were last seen. They are loaded together and kept current;
 * in a hub with very many, the others one by one when they come on screen.
 */

import { SvelteMap } from 'svelte/reactivity';
import { answer, type Api, type Schemas } from '../api/client';
import type { Live } from '../live/live.svelte';

export type Profile = Schemas['Profile'];

const PAGE = 200;
const MOST_PAGES = 3;
const AT_ONCE = 4;
const REFRESH_MILLISECONDS = 60_000;
/** The dot of an agent, or of a person who shows it, says that they were seen within this time. */
const HERE_MILLISECONDS = 5 * 60_000;

export class Profiles {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  /** By handle in lowercase. */
  readonly #known = new SvelteMap<string, Profile>();
  /** Those that were asked for one by one, and those of them that wait. */
  readonly #asked = new Set<string>();
  #waiting: string[] = [];
  #running = 0;
  #isLoading = false;
  /** Whether all profiles of the hub are known; nothing until the first of them are. */
  #isComplete: boolean | undefined;

  constructor(api: Api, live: Pick<Live, 'on'>) {
    this.#api = api;
    this.#live = live;
  }

  /** Follows the stream from now on; the result stops that. */
  start(): () => void {
    const off = [
      this.#live.on('hello', () => void this.load()),
      this.#live.on('reset', () => void this.load()),
      this.#live.on('profile_changed', ({ handle }) => void this.reload(handle)),
      this.#live.on('agent_changed', ({ agent }) => agent !== undefined && void this.reload(agent)),
    ];
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void this.load();
    }, REFRESH_MILLISECONDS);
    return () => {
      for (const stop of off) stop();
      clearInterval(timer);
    };
  }

  /** The profile of somebody, if it is known. */
  of(handle: string): Profile | undefined {
    const key = handle.toLowerCase();
    const profile = this.#known.get(key);
    if (profile === undefined && this.#isComplete === false) this.#want(key);
    return profile;
  }

  /** Loads all of them, up to a bound. */
  async load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
        const { profiles, next_cursor } = await answer(
          this.#api.GET('/api/directory', { params: { query } }),
        );
        for (const profile of profiles) this.#learn(profile);
        cursor = next_cursor ?? undefined;
        if (cursor === undefined) break;
      }
      this.#isComplete = cursor === undefined;
      this.#asked.clear();
    } catch {
      // The initials do until the next round.
    } finally {
      this.#isLoading = false;
    }
  }

  /** Asks about somebody again. */
  async reload(handle: string): Promise<void> {
    try {
      const params = { path: { handle } };
      this.#learn(await answer(this.#api.GET('/api/profiles/{handle}', { params })));
    } catch {
      // Somebody who is gone stays as they were; so does everybody while the hub is away.
    }
  }

  #learn(profile: Profile): void {
    const key = profile.handle.toLowerCase();
    if (JSON.stringify(this.#known.get(key)) !== JSON.stringify(profile)) this.#known.set(key, profile);
  }

  #want(key: string): void {
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    this.#waiting.push(key);
    // What is read while something is drawn must not change state.
    queueMicrotask(() => this.#ask());
  }

  #ask(): void {
    while (this.#running < AT_ONCE) {
      const key = this.#waiting.shift();
      if (key === undefined) return;
      this.#running += 1;
      void this.reload(key).then(() => {
        this.#running -= 1;
        this.#ask();
      });
    }
  }
}

/** When somebody was last seen, as far as it is shown. */
export function lastSeen(profile: Profile | undefined): Date | undefined {
  return profile?.last_seen_at == null ? undefined : new Date(profile.last_seen_at);
}

/** Whether somebody was seen in the last five minutes. */
export function isHere(profile: Profile | undefined, now: Date): boolean {
  const seen = lastSeen(profile);
  return seen !== undefined && now.getTime() - seen.getTime() < HERE_MILLISECONDS;
}

/** The status, unless it has ended. */
export function statusOf(profile: Profile | undefined, now: Date): Profile['status'] {
  const status = profile?.status;
  if (status == null) return undefined;
  return status.until != null && new Date(status.until).getTime() <= now.getTime() ? undefined : status;
}
