/** Who and what can be named in a conversation. */

import type { App } from '../app/context';
import type { Schemas } from '../api/client';
import type { Candidate } from '../composer/completion';
import type { Known } from '../markdown/markdown';
import { fullName, shownName } from '../people/names';

type Member = Schemas['Member'];
type Person = Pick<Member, 'name' | 'display_name' | 'kind'>;

export class Directory implements Known {
  readonly #store: App['store'];
  /** The members of the channel, when this is one. */
  members: readonly Member[] | undefined = $state.raw();

  readonly #people: ReadonlyMap<string, Person> = $derived.by(() => {
    const { me, partners, agents } = this.#store;
    const people: Person[] = [
      ...(me ? [{ name: me.username, display_name: me.display_name, kind: 'human' as const }] : []),
      ...(agents ?? []).map(({ name, display_name }) => ({ name, display_name, kind: 'agent' as const })),
      ...(partners ?? []),
      ...(this.members ?? []),
    ];
    return new Map(people.map((person) => [person.name.toLowerCase(), person]));
  });
  readonly #channels: ReadonlySet<string> = $derived.by(
    () => new Set((this.#store.channels ?? []).map(({ name }) => name.toLowerCase())),
  );
  /** Members first: they are the ones most often meant. */
  readonly candidates: readonly Candidate[] = $derived.by(() => {
    const own = this.members ?? [];
    const names = new Set(own.map(({ name }) => name));
    const others = [...this.#people.values()].filter(({ name }) => !names.has(name));
    return [
      ...[...own, ...others].map(({ name, display_name, kind }) => ({
        name,
        title: shownName(display_name, name),
        kind,
      })),
      ...(this.#store.channels ?? []).map(({ name, topic }) => ({
        name,
        title: topic || name,
        kind: 'channel' as const,
      })),
    ];
  });

  constructor(store: App['store']) {
    this.#store = store;
  }

  handle(name: string): boolean {
    return this.#people.has(name.toLowerCase());
  }

  channel(name: string): boolean {
    return this.#channels.has(name.toLowerCase());
  }

  /** The name for people, or the handle. */
  nameOf(handle: string): string {
    return shownName(this.#people.get(handle.toLowerCase())?.display_name, handle);
  }

  /** The same with the handle. */
  fullNameOf(handle: string): string {
    return fullName(this.#people.get(handle.toLowerCase())?.display_name, handle);
  }
}
