/**
 * Direct messages that I have claimed in this browser: with the token of a claim it is renewed, released and finished.
 * Tokens are kept for all tabs of the person, until the lease ends or the message is finished.
 */

import { answer, newIdempotencyKey, type Api, type Message } from '../api/client';
import { Problem } from '../api/problem';
import { asNumber, asObject, asText } from '../json/read';

type ClaimStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface Held {
  readonly token: string;
  /** When the lease ends, in milliseconds. */
  readonly until: number;
}

/** More claims than one person works on; the oldest are forgotten. */
const MOST = 200;

interface Options {
  readonly api: Api;
  readonly who: string;
  /** A function, because merely naming `localStorage` throws where it is forbidden. */
  readonly storage: () => ClaimStorage;
  /** The time of the hub in milliseconds. */
  readonly now: () => number;
}

export class Claims {
  readonly #options: Options;
  /** The keys of requests whose answer was lost: the repeated request gets the first answer. */
  readonly #keys = new Map<string, string>();
  #held: ReadonlyMap<number, Held> = $state.raw(new Map());

  constructor(options: Options) {
    this.#options = options;
    this.#held = this.#stored();
  }

  /** Whether this browser has the token of my claim on a message. */
  isHeld({ id }: Message): boolean {
    return this.#held.has(id);
  }

  async claim(message: Message): Promise<Message> {
    const { id } = message;
    const claimed = await this.#once(`claim ${id}`, (key) => {
      const params = { path: { id }, header: { 'Idempotency-Key': key } };
      return answer(this.#options.api.POST('/api/messages/{id}/claim', { params, body: {} }));
    });
    const { claim_token: token, ...rest } = claimed;
    this.#keep(rest, token);
    return rest;
  }

  /** The lease begins anew. */
  async renew(message: Message): Promise<Message> {
    const token = this.#token(message);
    const body = { claim_token: token };
    const renewed = await this.#mine(message, (params) =>
      answer(this.#options.api.POST('/api/messages/{id}/renew', { params, body })),
    );
    this.#keep(renewed, token);
    return renewed;
  }

  async release(message: Message): Promise<Message> {
    const body = { claim_token: this.#token(message) };
    const released = await this.#mine(message, (params) =>
      answer(this.#options.api.POST('/api/messages/{id}/release', { params, body })),
    );
    this.#forget(message.id);
    return released;
  }

  /** Marks a message as done, after a reply to its author if there is one. */
  async finish(message: Message, reply: string | undefined): Promise<Message> {
    const claim_token = this.#token(message);
    if (reply !== undefined) await this.#reply(message, reply);
    try {
      const done = await this.#mine(message, (params) =>
        answer(this.#options.api.POST('/api/messages/{id}/done', { params, body: { claim_token } })),
      );
      this.#forget(message.id);
      return done;
    } catch (error) {
      if (reply === undefined || !(error instanceof Problem)) throw error;
      throw withDetail(error, `Your reply was sent, but the message was not marked as done. ${error.detail}`);
    }
  }

  async fail(message: Message, reason: string | undefined): Promise<Message> {
    const claim_token = this.#token(message);
    const body = { claim_token, ...(reason === undefined ? {} : { reason }) };
    const failed = await this.#mine(message, (params) =>
      answer(this.#options.api.POST('/api/messages/{id}/fail', { params, body })),
    );
    this.#forget(message.id);
    return failed;
  }

  /** Another tab has changed what is kept. */
  storedElsewhere({ key }: Pick<StorageEvent, 'key'>): void {
    if (key === null || key === this.#name) this.#held = this.#stored();
  }

  /** Forgets all claims; those that still run end with their lease. */
  clear(): void {
    this.#save(new Map());
  }

  async #reply(message: Message, body: string): Promise<void> {
    await this.#once(`reply ${message.id} ${body}`, (key) => {
      const { id: reply_to, from: to, subject } = message;
      const params = { header: { 'Idempotency-Key': key } };
      const reply = { to, body, reply_to, ...(subject === '' ? {} : { subject }) };
      return answer(this.#options.api.POST('/api/messages', { params, body: reply }));
    });
  }

  /** Sends a request under a key that it keeps until there is an answer. A refusal is final for its key. */
  async #once<Answer>(what: string, send: (key: string) => Promise<Answer>): Promise<Answer> {
    const key = this.#keys.get(what) ?? newIdempotencyKey();
    this.#keys.set(what, key);
    try {
      const sent = await send(key);
      // A reply that was sent is not sent again with the next try to finish.
      if (!what.startsWith('reply ')) this.#keys.delete(what);
      return sent;
    } catch (error) {
      if (error instanceof Problem) this.#keys.delete(what);
      throw explained(error);
    }
  }

  /** Changes a claim; one that turns out to be lost is forgotten. */
  async #mine(
    { id }: Message,
    send: (params: { path: { id: number } }) => Promise<Message>,
  ): Promise<Message> {
    try {
      return await send({ path: { id } });
    } catch (error) {
      if (error instanceof Problem && ENDED.has(error.code)) this.#forget(id);
      throw explained(error);
    }
  }

  #token({ id }: Message): string {
    const token = this.#held.get(id)?.token;
    if (token === undefined) throw explained(new Problem({ status: 409, code: 'lease_lost' }));
    return token;
  }

  #keep({ id, lease_expires_at }: Message, token: string): void {
    const until = Date.parse(lease_expires_at ?? '');
    if (Number.isNaN(until)) return;
    this.#save(new Map([...this.#stored(), [id, { token, until }]]));
  }

  #forget(id: number): void {
    this.#save(new Map([...this.#stored()].filter(([known]) => known !== id)));
  }

  get #name(): string {
    return `svc.claims.${this.#options.who}`;
  }

  #stored(): ReadonlyMap<number, Held> {
    try {
      const fields = asObject(JSON.parse(this.#options.storage().getItem(this.#name) ?? '{}')) ?? {};
      const now = this.#options.now();
      return new Map(Object.entries(fields).flatMap(([id, value]) => readHeld(Number(id), value, now)));
    } catch {
      // Without storage, what this tab knows is all there is.
      return this.#held;
    }
  }

  #save(held: ReadonlyMap<number, Held>): void {
    const latest = [...held].sort(([, one], [, other]) => one.until - other.until).slice(-MOST);
    this.#held = new Map(latest);
    try {
      if (latest.length === 0) this.#options.storage().removeItem(this.#name);
      else this.#options.storage().setItem(this.#name, JSON.stringify(Object.fromEntries(latest)));
    } catch {
      // The claim lives as long as the page.
    }
  }
}

function readHeld(id: number, value: unknown, now: number): [number, Held][] {
  const fields = asObject(value);
  const [token, until] = [asText(fields?.['token']), asNumber(fields?.['until'])];
  if (!Number.isSafeInteger(id) || token === undefined || until === undefined || until <= now) return [];
  return [[id, { token, until }]];
}

/** Codes after which the token is of no use any more. */
const ENDED: ReadonlySet<string> = new Set([
  'lease_lost',
  'message_deleted',
  'already_finished',
  'not_found',
]);

const EXPLANATIONS: Readonly<Record<string, string>> = {
  lease_lost:
    'Your claim has ended, so nothing was changed. Somebody may have claimed the message since; if it is pending, claim it again.',
  already_claimed:
    'The message is already claimed, in another browser or by a program of yours. It can be claimed again when that lease ends.',
  already_finished: 'The message is already finished, so there is nothing left to do.',
  message_deleted: 'The message was deleted by its author. Stop working on it.',
};

/** A refusal in words for a person, with what to do next. */
export function explained(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const words = EXPLANATIONS[error.code];
  return words === undefined ? error : withDetail(error, words);
}

function withDetail({ status, code, title, fields, members, retryAfter }: Problem, detail: string): Problem {
  return new Problem({ status, code, title, detail, fields, members, retryAfter });
}

/** Whether I may claim a message: it is a direct message to me, and waits. */
export function isClaimable(message: Message, me: string | undefined): boolean {
  return (
    me !== undefined &&
    message.channel == null &&
    message.to === me &&
    message.status === 'pending' &&
    message.deleted_at == null
  );
}

/** What is left of a lease, `14:05` or `1:00:00`; nothing when it has ended. */
export function timeLeft(until: Date, now: Date): string | undefined {
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1_000);
  if (seconds <= 0) return undefined;
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
