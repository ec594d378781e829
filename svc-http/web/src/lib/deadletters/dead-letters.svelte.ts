/** What could not be delivered: looking at it, trying it again, taking note of it. */

import { answer, type Api, type Schemas } from '../api/client';
import { reasonOf } from '../api/problem';
import { Resource } from '../api/resource.svelte';
import type { Live } from '../live/live.svelte';

export type DeadLetter = Schemas['DeadLetter'];
export const VIEWS = ['open', 'all'] as const;
export type View = (typeof VIEWS)[number];
type Kind = Schemas['DeadLetterKind'];

export const PAGE_SIZE = 50;

export interface Question {
  /** `open`: those that are not acknowledged. */
  readonly view: View;
  readonly kind: Kind | undefined;
  /** From 1. */
  readonly page: number;
}

export function readQuestion(query: URLSearchParams): Question {
  const page = Number(query.get('page') ?? '1');
  const kind = query.get('kind');
  return {
    view: query.get('view') === 'all' ? 'all' : 'open',
    kind: kind === 'message' || kind === 'webhook' ? kind : undefined,
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** The first page of a list. */
export function addressOf({ view, kind }: Pick<Question, 'view' | 'kind'>): string {
  const query = new URLSearchParams();
  if (view === 'all') query.set('view', view);
  if (kind !== undefined) query.set('kind', kind);
  return query.size === 0 ? '/dead-letters' : `/dead-letters?${query}`;
}

export class DeadLetters {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  #question: Question = { view: 'open', kind: undefined, page: 1 };
  readonly list: Resource<Schemas['DeadLetterPage']>;
  /** What is being done to which letter. */
  busy: ReadonlyMap<number, 'retry' | 'acknowledge'> = $state.raw(new Map());
  /** Why that could not be done. */
  refusals: ReadonlyMap<number, string> = $state.raw(new Map());

  constructor(api: Api, live: Pick<Live, 'on'>) {
    this.#api = api;
    this.#live = live;
    this.list = new Resource((signal) => {
      const { view, kind, page } = this.#question;
      const query = {
        limit: PAGE_SIZE,
        offset: (page - 1) * PAGE_SIZE,
        ...(view === 'open' ? { acknowledged: false } : {}),
        ...(kind === undefined ? {} : { kind }),
      };
      return answer(api.GET('/api/dead-letters', { params: { query }, signal }));
    });
  }

  show(question: Question): void {
    this.#question = question;
    void this.list.load();
  }

  /** Follows what happens to messages; the result stops that. */
  watch(): () => void {
    const off = [
      this.#live.on('message_updated', () => this.list.loadSoon()),
      this.#live.on('dead_letters_added', () => this.list.loadSoon()),
      this.#live.on('reset', () => this.list.loadSoon()),
    ];
    return () => {
      for (const stop of off) stop();
      this.list.stop();
    };
  }

  /** Puts the message back to be worked on, or sends the event again, as if it had never been tried. */
  retry(letter: DeadLetter): Promise<boolean> {
    return this.#act(letter, 'retry', () =>
      answer(this.#api.POST('/api/dead-letters/{id}/retry', { params: { path: { id: letter.id } } })),
    );
  }

  acknowledge(letter: DeadLetter): Promise<boolean> {
    return this.#act(letter, 'acknowledge', () =>
      answer(this.#api.POST('/api/dead-letters/{id}/acknowledge', { params: { path: { id: letter.id } } })),
    );
  }

  /** Whether it was done. */
  async #act(
    letter: DeadLetter,
    verb: 'retry' | 'acknowledge',
    run: () => Promise<DeadLetter>,
  ): Promise<boolean> {
    if (this.busy.has(letter.id)) return false;
    this.busy = new Map([...this.busy, [letter.id, verb]]);
    this.refusals = new Map([...this.refusals].filter(([id]) => id !== letter.id));
    try {
      this.#put(await run());
      void this.list.load();
      return true;
    } catch (error) {
      this.refusals = new Map([...this.refusals, [letter.id, reasonOf(error)]]);
      return false;
    } finally {
      this.busy = new Map([...this.busy].filter(([id]) => id !== letter.id));
    }
  }

  #put(letter: DeadLetter): void {
    const page = this.list.value;
    if (!page) return;
    const dead_letters = page.dead_letters.map((other) => (other.id === letter.id ? letter : other));
    this.list.value = { ...page, dead_letters };
  }
}
