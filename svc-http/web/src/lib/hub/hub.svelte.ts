/**
 * The store of the whole app: who I am, channels, partners, agents, notification settings. Loaded when the stream of
 * events greets, kept up to date by its events, loaded anew after a gap.
 */

import { answer, type Agent, type Api, type Channel, type Partner, type User } from '../api/client';
import { isAborted, Problem, reasonOf } from '../api/problem';
import type { LiveEvents } from '../live/events';
import type { Live } from '../live/live.svelte';
import { NotificationSettings } from '../notifications/settings.svelte';
import { fullName, shownName } from '../people/names';
import type { ConversationLevel } from '../push/api';
import { loadAll } from './load-all';

/**
 * When the stream does not come up soon, lists are loaded without it. While a page is being opened a slow device is
 * busy for long, and everything would be loaded twice if this were short.
 */
const PATIENCE_MILLISECONDS = 2_500;
/** Events that call for the same list within this time are answered together. */
const GATHER_MILLISECONDS = 150;

type List = 'me' | 'channels' | 'partners' | 'agents';

export class Hub {
  readonly #api: Api;
  readonly #live: Pick<Live, 'on'>;
  readonly #waiting = new Map<List, ReturnType<typeof setTimeout>>();
  /** Lists on their way, and those that an event has changed meanwhile. */
  readonly #loading = new Set<List>();
  readonly #outdated = new Set<List>();
  /** The newest question about each list and each channel; answers to others are outdated. */
  readonly #questions = new Map<List, number>();
  readonly #channelQuestions = new Map<string, number>();
  #loadedBy: 'greeting' | 'patience' | undefined;
  /** My notification settings, with the conversations that are muted. */
  readonly notifications: NotificationSettings;

  me: User | undefined = $state.raw();
  /** All channels that I can see and that are not archived, by name. */
  channels: readonly Channel[] | undefined = $state.raw();
  /** With whom I exchanged direct messages, latest first. */
  partners: readonly Partner[] | undefined = $state.raw();
  /** My agents, by name. */
  agents: readonly Agent[] | undefined = $state.raw();
  /** Why the lists could not be loaded; nothing when they could. */
  failure: string | undefined = $state();
  /** Grows whenever events may have been missed, so that pages load again what they show. */
  resets = $state(0);

  readonly myChannels: readonly Channel[] = $derived(
    (this.channels ?? []).filter((channel) => channel.is_member),
  );
  /** Channels that may hold something unread: mine, and public ones in which somebody mentioned me. */
  readonly countedChannels: readonly Channel[] = $derived(
    (this.channels ?? []).filter(({ is_member, mentions }) => is_member || mentions > 0),
  );
  /** Unread mentions, without those in muted channels. */
  readonly mentionsForMe: number = $derived(
    this.countedChannels.reduce((sum, channel) => sum + this.mentionsIn(channel), 0),
  );
  /**
   * Unread direct messages and mentions, without muted ones: what a person wants to see from afar. It is the `total` of
   * `GET /api/notifications/totals`.
   */
  readonly waitingForMe: number = $derived(
    this.mentionsForMe + (this.partners ?? []).reduce((sum, partner) => sum + this.lettersOf(partner), 0),
  );

  constructor(api: Api, live: Pick<Live, 'on'>) {
    this.#api = api;
    this.#live = live;
    this.notifications = new NotificationSettings(api);
  }

  /** Follows the stream from now on; the result stops that. */
  start(): () => void {
    const off = [
      this.#live.on('hello', () => this.#greeted()),
      this.#live.on('reset', () => this.#reset()),
      this.#live.on('new_message', (event) => this.#newMessage(event)),
      this.#live.on('message_edited', (event) => this.#messageChanged(event)),
      this.#live.on('message_deleted', (event) => this.#messageChanged(event)),
      this.#live.on('unread_update', (event) => this.#unread(event)),
      this.#live.on('channel_changed', ({ channel }) => void this.reloadChannel(channel)),
      this.#live.on('agent_changed', () => this.reload('agents')),
      this.#live.on('notification_settings_changed', () => this.#settingsChanged()),
    ];
    const patience = setTimeout(() => this.#lostPatience(), PATIENCE_MILLISECONDS);
    return () => {
      for (const stop of off) stop();
      clearTimeout(patience);
      for (const timer of this.#waiting.values()) clearTimeout(timer);
    };
  }

  channel(name: string): Channel | undefined {
    return this.channels?.find((channel) => channel.name === name);
  }

  agent(name: string): Agent | undefined {
    return this.agents?.find((agent) => agent.name === name);
  }

  partner(name: string): Partner | undefined {
    return this.partners?.find((partner) => partner.name === name);
  }

  isMuted(kind: 'channel' | 'dm', name: string): boolean {
    return this.notifications.isMuted(kind, name);
  }

  /** Unread mentions in a channel that count. */
  mentionsIn({ name, mentions }: Channel): number {
    return this.isMuted('channel', name) ? 0 : mentions;
  }

  /** Unread direct messages of a partner that count. */
  lettersOf({ name, unread }: Partner): number {
    return this.isMuted('dm', name) ? 0 : unread;
  }

  /** Unread messages of a channel or of a partner that count. */
  unreadIn(kind: 'channel' | 'dm', place: Channel | Partner): number {
    return this.isMuted(kind, place.name) ? 0 : place.unread;
  }

  /** The name for people of somebody who is known here, or the handle. */
  nameOf(handle: string): string {
    return shownName(this.#displayName(handle), handle);
  }

  /** The same with the handle. */
  fullNameOf(handle: string): string {
    return fullName(this.#displayName(handle), handle);
  }

  /** Shows lists of before until there are others. */
  restore({
    me,
    channels,
    partners,
    agents,
    levels,
  }: Pick<Hub, List> & { levels?: readonly ConversationLevel[] }): void {
    this.notifications.restore(levels);
    this.me ??= me;
    this.channels ??= channels;
    this.partners ??= partners;
    this.agents ??= agents;
  }

  /** Loads everything. */
  async load(): Promise<void> {
    this.failure = undefined;
    const lists = (['me', 'channels', 'partners', 'agents'] as const).map((list) => this.#load(list));
    await Promise.all([...lists, this.notifications.load()]);
  }

  /** Loads a list soon; calls in a row are one. */
  reload(list: List): void {
    clearTimeout(this.#waiting.get(list));
    this.#waiting.set(
      list,
      setTimeout(() => void this.#load(list), GATHER_MILLISECONDS),
    );
  }

  /** Loads one channel, and forgets it when it is gone or archived. */
  async reloadChannel(name: string): Promise<void> {
    const question = (this.#channelQuestions.get(name) ?? 0) + 1;
    this.#channelQuestions.set(name, question);
    const isNewest = () => this.#channelQuestions.get(name) === question;
    try {
      const channel = await answer(this.#api.GET('/api/channels/{name}', { params: { path: { name } } }));
      if (!isNewest()) return;
      if (channel.archived_at) this.#forgetChannel(name);
      else this.putChannel(channel);
    } catch (error) {
      if (isNewest() && error instanceof Problem && error.status === 404) this.#forgetChannel(name);
    }
  }

  /** Takes over a channel as the server has just told it. */
  putChannel(channel: Channel): void {
    this.#touch('channels');
    const others = (this.channels ?? []).filter(({ id }) => id !== channel.id);
    this.channels = [...others, channel].sort(byName);
  }

  /** Marks everything up to a message as read. The stream tells what is unread then. */
  async markRead(kind: 'channel' | 'dm', name: string, lastMessageId: number): Promise<void> {
    await this.#api
      .POST('/api/notifications/mark-read', { body: { kind, name, last_message_id: lastMessageId } })
      .catch(() => undefined);
  }

  /**
   * Lists are loaded at the first greeting of the stream. A resumed one tells everything that happened since, but
   * for what is unread: that is told once and has no place in the log.
   */
  #greeted(): void {
    if (this.#loadedBy === 'greeting' && this.failure === undefined) {
      this.#settingsChanged();
      return;
    }
    this.#loadedBy = 'greeting';
    void this.load();
  }

  #settingsChanged(): void {
    void this.notifications.load();
    this.reload('channels');
    this.reload('partners');
  }

  #lostPatience(): void {
    if (this.#loadedBy !== undefined) return;
    this.#loadedBy = 'patience';
    void this.load();
  }

  #reset(): void {
    this.resets += 1;
    void this.load();
  }

  async #load(list: List): Promise<void> {
    const question = (this.#questions.get(list) ?? 0) + 1;
    this.#questions.set(list, question);
    this.#loading.add(list);
    this.#outdated.delete(list);
    try {
      const put = await this.#ask(list);
      if (this.#questions.get(list) === question) put();
    } catch (error) {
      if (!isAborted(error) && this.#questions.get(list) === question) this.failure = reasonOf(error);
    } finally {
      if (this.#questions.get(list) === question) {
        this.#loading.delete(list);
        // The answer may be from before the event.
        if (this.#outdated.has(list)) this.reload(list);
      }
    }
  }

  #touch(list: List): void {
    if (this.#loading.has(list)) this.#outdated.add(list);
  }

  async #allChannels(): Promise<Channel[]> {
    const channels = await loadAll(async (query) => {
      const page = await answer(this.#api.GET('/api/channels', { params: { query } }));
      return { entries: page.channels, total: page.total };
    });
    return channels.sort(byName);
  }

  /** Asks for a list; the result puts it in its place. */
  async #ask(list: List): Promise<() => void> {
    if (list === 'me') {
      const me = await answer(this.#api.GET('/auth/me'));
      return () => (this.me = me);
    }
    if (list === 'channels') {
      const channels = await this.#allChannels();
      return () => (this.channels = channels);
    }
    if (list === 'partners') {
      const partners = await this.#allPartners();
      return () => (this.partners = partners);
    }
    const agents = await this.#allAgents();
    return () => (this.agents = agents);
  }

  #allPartners(): Promise<Partner[]> {
    return answer(this.#api.GET('/api/dm/partners', { params: { query: { limit: 200 } } }));
  }

  async #allAgents(): Promise<Agent[]> {
    const agents = await loadAll(async (query) => {
      const page = await answer(this.#api.GET('/api/agents', { params: { query } }));
      return { entries: page.agents, total: page.total };
    });
    return agents.sort(byName);
  }

  #displayName(handle: string): string | undefined {
    if (handle === this.me?.username) return this.me.display_name;
    return this.partner(handle)?.display_name || this.agent(handle)?.display_name;
  }

  #forgetChannel(name: string): void {
    this.#touch('channels');
    this.channels = this.channels?.filter((channel) => channel.name !== name);
  }

  #newMessage(event: LiveEvents['new_message']): void {
    this.#touch(event.channel === null ? 'partners' : 'channels');
    if (event.channel !== null) {
      this.#patchChannel(event.channel, { last_message_id: event.message_id });
      return;
    }
    const me = this.me?.username;
    const name = event.from === me ? event.to : event.to === me ? event.from : null;
    if (name === null) return;
    const partner = this.partner(name);
    // What notifies a person of a mention belongs to no direct conversation.
    if (event.mention_of != null && (event.to === me || partner?.kind === 'human')) return;
    if (partner === undefined) {
      this.reload('partners');
      return;
    }
    const { message_id: id, from, preview, created_at } = event;
    const heard = {
      ...partner,
      preview,
      last_message_id: id,
      last_message_at: created_at,
      last_unread: from === me ? (partner.last_unread ?? null) : { id, from, preview, created_at },
    };
    this.partners = [heard, ...(this.partners ?? []).filter((other) => other !== partner)];
  }

  /** Partners are listed with the beginning of the last message. */
  #messageChanged({ channel, message_id }: { channel: string | null; message_id: number }): void {
    const isLast = this.partners?.some(
      ({ last_message_id, last_unread }) => last_message_id === message_id || last_unread?.id === message_id,
    );
    if (channel === null && isLast) this.reload('partners');
  }

  #unread({ kind, name, unread, mentions }: LiveEvents['unread_update']): void {
    this.#touch(kind === 'channel' ? 'channels' : 'partners');
    if (kind === 'channel') {
      if (this.channel(name)) this.#patchChannel(name, { unread, mentions });
      else this.reload('channels');
    } else if (this.partner(name)) {
      this.partners = this.partners?.map((partner) =>
        partner.name === name
          ? { ...partner, unread, last_unread: unread > 0 ? (partner.last_unread ?? null) : null }
          : partner,
      );
    } else {
      this.reload('partners');
    }
  }

  #patchChannel(name: string, changes: Partial<Channel>): void {
    this.channels = this.channels?.map((channel) =>
      channel.name === name ? { ...channel, ...changes } : channel,
    );
  }
}

function byName(left: { name: string }, right: { name: string }): number {
  // Names are small Latin letters, digits and dashes, for which the rules of a language take too long to load.
  return left.name < right.name ? -1 : Number(left.name > right.name);
}
