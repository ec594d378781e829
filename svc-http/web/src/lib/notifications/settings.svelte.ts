/**
 * A person's notification settings. A change shows at once and is taken back when the server refuses it. Questions and
 * changes go one after the other, so that no answer is older than what is on screen.
 */

import type { Api } from '../api/client';
import { isAborted, Problem, reasonOf } from '../api/problem';
import {
  getSettings,
  putSettings,
  type ConversationLevel,
  type Level,
  type Settings,
  type SettingsUpdate,
} from '../push/api';
import { levelOf, withUpdate, type ConversationKind } from './levels';

export class NotificationSettings {
  readonly #api: Api;
  #last: Promise<unknown> = Promise.resolve();
  #nextLoad: Promise<void> | undefined;
  #told: Settings | undefined = $state.raw();
  /** Changes on their way, in the order in which they were made. */
  #changes: readonly SettingsUpdate[] = $state.raw([]);
  /** Levels of before, while there is no connection. */
  #restored: readonly ConversationLevel[] = $state.raw([]);

  /** Why the settings could not be loaded; nothing when they could. */
  failure: string | undefined = $state();
  readonly value: Settings | undefined = $derived(
    this.#told === undefined ? undefined : this.#changes.reduce(withUpdate, this.#told),
  );
  /** Conversations with a level other than the default. */
  readonly conversations: readonly ConversationLevel[] = $derived(
    this.value?.conversations ?? this.#restored,
  );
  readonly #muted: ReadonlySet<string> = $derived(
    new Set(this.conversations.filter(({ level }) => level === 'nothing').map(keyOf)),
  );

  constructor(api: Api) {
    this.#api = api;
  }

  level(kind: ConversationKind, name: string): Level {
    return levelOf(this.conversations, kind, name);
  }

  isMuted(kind: ConversationKind, name: string): boolean {
    return this.#muted.has(keyOf({ kind, name }));
  }

  /** Shows levels of before until there are others. */
  restore(conversations: readonly ConversationLevel[] | undefined): void {
    this.#restored = conversations ?? [];
  }

  /** Asks for the settings; whoever calls before that has begun is served by the same question. */
  load(): Promise<void> {
    this.#nextLoad ??= this.#inTurn(async () => {
      this.#nextLoad = undefined;
      try {
        this.#told = await getSettings(this.#api);
        this.failure = undefined;
      } catch (error) {
        // A server without these settings mutes nothing.
        const isMissing = error instanceof Problem && error.status === 404;
        if (isMissing) this.#restored = [];
        if (!isAborted(error)) this.failure = reasonOf(error);
      }
    });
    return this.#nextLoad;
  }

  /** Changes the settings. When that fails, they are as before, and the reason is thrown. */
  async change(update: SettingsUpdate): Promise<void> {
    this.#changes = [...this.#changes, update];
    try {
      await this.#inTurn(async () => {
        this.#told = await putSettings(this.#api, update);
      });
    } finally {
      this.#changes = this.#changes.filter((one) => one !== update);
    }
  }

  setLevel(kind: ConversationKind, name: string, level: Level): Promise<void> {
    return this.change({ conversations: [{ kind, name, level }] });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

function keyOf({ kind, name }: Pick<ConversationLevel, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}
