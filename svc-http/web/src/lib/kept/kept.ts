/**
 * What was last on screen, for times without a connection: the lists, and the last page of the conversations that
 * were opened of late. It belongs to one person; nothing of it outlives their login.
 */

import type { Agent, Channel, Message, Partner, User } from '../api/client';
import type { Person } from '../account/account.svelte';
import type { Place } from '../messages/source';
import type { ConversationLevel } from '../push/api';
import type { Database } from './database';

export const MOST_PLACES = 30;
export const MOST_MESSAGES = 50;
export const MOST_PAGE_BYTES = 256 * 1024;
export const MOST_BYTES = 4 * 1024 * 1024;

export interface Lists {
  readonly me: User | undefined;
  readonly channels: readonly Channel[];
  readonly partners: readonly Partner[];
  readonly agents: readonly Agent[];
  /** Which conversations are muted, among other levels; what an older program has kept has none. */
  readonly levels?: readonly ConversationLevel[];
}

export interface KeptPage {
  readonly messages: readonly Message[];
  readonly hasMoreBefore: boolean;
}

export type Dated<Value> = Value & { readonly keptAt: number };

/** Which conversations are kept, the latest first, and how large each is. */
type Index = readonly { readonly key: string; readonly bytes: number }[];

export class Kept {
  readonly #database: Database;
  readonly #now: () => number;
  /** Whose things may be kept: nobody's, until the server has said who is there. */
  #owner: string | undefined;
  /** One change after the other, so that none is built on what another one has just changed. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Who was here last, if anything of theirs is kept. */
  owner(): Promise<Person | undefined> {
    return this.#safely(async () => (await this.#database.get('owner')) as Person | undefined);
  }

  /** The server has said who is there. What belongs to somebody else is thrown away. */
  async own(person: Person): Promise<void> {
    await this.#safely(async () => {
      const before = (await this.#database.get('owner')) as Person | undefined;
      if (before?.username !== person.username) await this.#database.clear();
      await this.#database.put('owner', { ...person });
      this.#owner = person.username;
    });
  }

  /** Throws everything away, and keeps nothing more until somebody owns it again. */
  async wipe(): Promise<void> {
    this.#owner = undefined;
    await this.#safely(() => this.#database.clear());
  }

  async keepLists(lists: Lists): Promise<void> {
    await this.#owned(() => this.#database.put('lists', { ...lists, keptAt: this.#now() }));
  }

  lists(): Promise<Dated<Lists> | undefined> {
    return this.#safely(async () => (await this.#database.get('lists')) as Dated<Lists> | undefined);
  }

  /** Keeps the newest messages of a conversation, as many as there is room for. */
  async keepPage(place: Place, { messages, hasMoreBefore }: KeptPage): Promise<void> {
    await this.#owned(async () => {
      const newest = fitting(messages);
      const page: Dated<KeptPage> = {
        messages: newest,
        hasMoreBefore: hasMoreBefore || newest.length < messages.length,
        keptAt: this.#now(),
      };
      const key = keyOf(place);
      await this.#database.put(key, page);
      const before = ((await this.#database.get('index')) ?? []) as Index;
      await this.#prune([{ key, bytes: sizeOf(page) }, ...before.filter((other) => other.key !== key)]);
    });
  }

  async forgetPage(place: Place): Promise<void> {
    await this.#owned(() => this.#database.delete(keyOf(place)));
  }

  page(place: Place): Promise<Dated<KeptPage> | undefined> {
    return this.#safely(async () => (await this.#database.get(keyOf(place))) as Dated<KeptPage> | undefined);
  }

  async #prune(index: Index): Promise<void> {
    let bytes = 0;
    const kept: Index[number][] = [];
    for (const entry of index) {
      bytes += entry.bytes;
      if (kept.length < MOST_PLACES && bytes <= MOST_BYTES) kept.push(entry);
      else await this.#database.delete(entry.key);
    }
    await this.#database.put('index', kept);
  }

  async #owned(change: () => Promise<void>): Promise<void> {
    const owner = this.#owner;
    await this.#safely(async () => {
      // Whoever was here may have left while this waited for its turn.
      if (owner !== undefined && owner === this.#owner) await change();
    });
  }

  /** Without a place to keep things, or without room, there is nothing to show offline; nothing else fails. */
  async #safely<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn.catch(() => undefined);
  }
}

function keyOf({ kind, name }: Place): string {
  return `page ${kind} ${name}`;
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

/** The newest messages that fit into a page. */
function fitting(messages: readonly Message[]): Message[] {
  const newest = messages.slice(-MOST_MESSAGES);
  let bytes = 0;
  const first = newest.findLastIndex((message) => {
    bytes += sizeOf(message);
    return bytes > MOST_PAGE_BYTES;
  });
  return newest.slice(first + 1);
}
