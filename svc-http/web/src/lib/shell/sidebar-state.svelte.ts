/** How a person has arranged the sidebar in this browser: the order of its sections, closed ones, unread only. */

import { asList, asObject } from '../json/read';

export const SECTIONS = ['channels', 'direct', 'more'] as const;
export type SectionName = (typeof SECTIONS)[number];

export interface Arrangement {
  readonly order: readonly SectionName[];
  readonly closed: readonly SectionName[];
  readonly unreadOnly: boolean;
}

export const NOT_ARRANGED: Arrangement = { order: SECTIONS, closed: [], unreadOnly: false };

type SidebarStorage = Pick<Storage, 'getItem' | 'setItem'>;

export class SidebarState {
  readonly #who: () => string;
  readonly #storage: () => SidebarStorage;
  #arrangement: Arrangement = $state.raw(NOT_ARRANGED);

  /** `storage` is a function because merely naming `localStorage` throws where it is forbidden. */
  constructor(who: () => string, storage: () => SidebarStorage) {
    this.#who = who;
    this.#storage = storage;
  }

  get key(): string {
    return `svc.sidebar.${this.#who()}`;
  }

  get order(): readonly SectionName[] {
    return this.#arrangement.order;
  }

  get unreadOnly(): boolean {
    return this.#arrangement.unreadOnly;
  }

  isClosed(name: SectionName): boolean {
    return this.#arrangement.closed.includes(name);
  }

  /** Takes over what is stored for the person, also by another tab. */
  load(): void {
    try {
      this.#arrangement = readArrangement(this.#storage().getItem(this.key));
    } catch {
      // Without storage the arrangement lasts as long as the page.
    }
  }

  toggle(name: SectionName): void {
    const { closed } = this.#arrangement;
    this.#change({
      closed: closed.includes(name) ? closed.filter((one) => one !== name) : [...closed, name],
    });
  }

  /** Moves a section to the place of another one. */
  move(name: SectionName, to: number): void {
    this.#change({ order: movedTo(this.order, name, to) });
  }

  showUnreadOnly(unreadOnly: boolean): void {
    this.#change({ unreadOnly });
  }

  #change(changes: Partial<Arrangement>): void {
    this.#arrangement = { ...this.#arrangement, ...changes };
    try {
      this.#storage().setItem(this.key, JSON.stringify(this.#arrangement));
    } catch {
      // The same.
    }
  }
}

/** The order with one section at another position, as far as there is one. */
export function movedTo(order: readonly SectionName[], name: SectionName, to: number): SectionName[] {
  const others = order.filter((one) => one !== name);
  const at = Math.max(0, Math.min(others.length, to));
  return [...others.slice(0, at), name, ...others.slice(at)];
}

/** The arrangement in a stored text, as far as it holds one. Sections of a newer version come last. */
export function readArrangement(text: string | null): Arrangement {
  if (text === null) return NOT_ARRANGED;
  try {
    const fields = asObject(JSON.parse(text));
    const order = sectionsIn(fields?.['order']);
    return {
      order: [...order, ...SECTIONS.filter((name) => !order.includes(name))],
      closed: sectionsIn(fields?.['closed']),
      unreadOnly: fields?.['unreadOnly'] === true,
    };
  } catch {
    return NOT_ARRANGED;
  }
}

function sectionsIn(value: unknown): SectionName[] {
  const known = asList(value).filter((entry): entry is SectionName =>
    (SECTIONS as readonly unknown[]).includes(entry),
  );
  return [...new Set(known)];
}
