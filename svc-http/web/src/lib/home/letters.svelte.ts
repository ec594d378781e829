/**
 * Which unread direct messages are letters of their own. A mention in a channel reaches the inbox as a direct
 * message too; where the channel is shown as well, that would be the same thing twice.
 */

import { answer, type Api, type Message, type Partner } from '../api/client';
import { isAborted } from '../api/problem';

/** How much of a conversation is looked through. */
const LOOKED_THROUGH = 200;

export interface Letters {
  readonly count: number;
  /** The newest of them. */
  readonly newest: Pick<Message, 'body' | 'created_at'> | undefined;
}

export class UnreadLetters {
  readonly #api: Api;
  /** What was last asked about each partner, so that the same is not asked again. */
  readonly #asked = new Map<string, string>();

  byPartner: ReadonlyMap<string, Letters> = $state.raw(new Map());

  constructor(api: Api) {
    this.#api = api;
  }

  /** Looks through what is unread of each partner, unless it is known. `isShown` tells which channels are. */
  async look(partners: readonly Partner[], isShown: (channel: string) => boolean): Promise<void> {
    const fresh = partners.filter((partner) => {
      const state = `${partner.unread} ${partner.last_message_id}`;
      if (partner.unread === 0 || this.#asked.get(partner.name) === state) return false;
      this.#asked.set(partner.name, state);
      return true;
    });
    await Promise.all(fresh.map((partner) => this.#lookAt(partner, isShown)));
  }

  async #lookAt(partner: Partner, isShown: (channel: string) => boolean): Promise<void> {
    const state = this.#asked.get(partner.name);
    let letters: Letters;
    try {
      const params = { path: { name: partner.name }, query: { limit: LOOKED_THROUGH } };
      const { messages } = await answer(this.#api.GET('/api/dm/{name}/messages', { params }));
      letters = lettersAmong(messages, partner, isShown);
    } catch (error) {
      this.#asked.delete(partner.name);
      if (isAborted(error)) return;
      letters = {
        count: partner.unread,
        newest: { body: partner.preview, created_at: partner.last_message_at },
      };
    }
    // Something has come meanwhile, and is being looked at.
    if (this.#asked.has(partner.name) && this.#asked.get(partner.name) !== state) return;
    this.byPartner = new Map([...this.byPartner, [partner.name, letters]]);
  }
}

function lettersAmong(
  messages: readonly Message[],
  { name, unread }: Partner,
  isShown: (channel: string) => boolean,
): Letters {
  const theirs = messages.filter(({ from }) => from === name).slice(-unread);
  const own = theirs.filter(({ metadata }) => {
    const channel = (metadata as { mention?: { channel?: string } } | null | undefined)?.mention?.channel;
    return channel === undefined || !isShown(channel);
  });
  return { count: unread - (theirs.length - own.length), newest: own.at(-1) };
}
