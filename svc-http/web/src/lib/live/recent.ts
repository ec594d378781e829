/** The latest events that this tab has taken, for tabs that have got less; and which of them it has had before. */

import type { RawEvent } from './events';
import { placeOf } from './stream';

/** Tabs are moments behind one another; whoever is further behind loads anew. */
const MOST_KEPT = 500;

interface Kept {
  /** The place in the log at which it came; events without one of their own stand at that of the event before. */
  readonly place: number;
  readonly event: RawEvent;
}

export class Recent {
  #kept: Kept[] = [];
  /** Everything after this place is kept. */
  #since: number | undefined;
  #last: number | undefined;

  /** The last event, to resume after it. */
  get last(): string | undefined {
    return this.#last === undefined ? undefined : String(this.#last);
  }

  /** Notes an event; false for one that this tab has had. */
  take(event: RawEvent): boolean {
    if (event.name === 'hello') this.#begin(Number(placeOf(event)));
    else if (event.name === 'reset') this.beginAt(event.id);
    else if (event.id !== undefined) {
      const id = Number(event.id);
      if (this.#last !== undefined && id <= this.#last) return false;
      this.#last = id;
      this.#keep(event);
    } else this.#keep(event);
    return true;
  }

  /** Goes on from another place, without what lies between. */
  beginAt(last: string | undefined): void {
    this.#kept = [];
    this.#last = last === undefined ? undefined : Number(last);
    this.#since = this.#last;
  }

  /** What follows a place, or nothing when not all of it is kept. */
  after(last: string): RawEvent[] | undefined {
    const place = Number(last);
    if (this.#last === undefined || place > this.#last) return [];
    if (this.#since === undefined || place < this.#since) return undefined;
    // What has no place of its own tells how things are, and may be told twice.
    return this.#kept
      .filter((kept) => kept.place > place || (kept.place === place && kept.event.id === undefined))
      .map(({ event }) => event);
  }

  /** Whether a greeting leaves out something that this tab has not had. */
  isAhead(hello: RawEvent): boolean {
    return this.#last !== undefined && Number(placeOf(hello)) > this.#last;
  }

  #begin(place: number): void {
    if (this.#last !== undefined && place <= this.#last) return;
    this.beginAt(String(place));
  }

  #keep(event: RawEvent): void {
    this.#kept.push({ place: this.#last ?? 0, event });
    if (this.#kept.length <= MOST_KEPT) return;
    const dropped = this.#kept.splice(0, MOST_KEPT / 2);
    this.#since = dropped.at(-1)?.place;
  }
}
