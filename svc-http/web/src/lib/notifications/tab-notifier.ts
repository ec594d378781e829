/** Shows notifications of new messages while a tab is open. */

import { answer, type Api, type Message } from '../api/client';
import type { LiveEvents } from '../live/events';
import type { Live } from '../live/live.svelte';
import type { Settings } from '../push/api';
import type { ConversationKind } from './levels';
import { noticeOf, passesLevel, type Notice } from './notice';
import type { OpenTabs } from './open-tabs';
import { isQuiet } from './quiet';
import type { TabSettings } from './tab-settings.svelte';

type News = LiveEvents['new_message'];

/** What came while the connection was gone is in the lists; a notification is for what is new. */
const OLD_MILLISECONDS = 5 * 60_000;
/** Of more messages at once, the newest are shown. */
const MOST_WAITING = 20;

interface Options {
  readonly api: Api;
  readonly live: Pick<Live, 'on'>;
  readonly tabs: Pick<OpenTabs, 'isFirst' | 'onScreen'>;
  readonly settings: Pick<TabSettings, 'isOn' | 'pausedUntil'>;
  readonly me: string;
  /** The settings of the account; nothing while they are not known. */
  readonly account: () => Settings | undefined;
  readonly level: (kind: ConversationKind, name: string) => Settings['conversations'][number]['level'];
  /** Whether messages of a channel wait for approval. */
  readonly hasWorkflow: (channel: string) => boolean;
  readonly nameOf: (handle: string) => string;
  /** Whether the server pushes to this browser while none of its tabs is on screen. */
  readonly isPushed: () => boolean;
  /** Whether the browser lets this page show notifications. */
  readonly isAllowed: () => boolean;
  readonly now: () => Date;
  readonly show: (notice: Notice) => void;
}

export class TabNotifier {
  readonly #options: Options;
  readonly #waiting: News[] = [];
  #isWorking = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Follows the stream from now on; the result stops that. */
  start(): () => void {
    const off = this.#options.live.on('new_message', (news) => this.#take(news));
    return () => {
      off();
      this.#waiting.length = 0;
    };
  }

  #take(news: News): void {
    if (!this.#isActive() || !this.#mayMatter(news)) return;
    this.#waiting.push(news);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    if (!this.#isWorking) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let news = this.#waiting.shift(); news; news = this.#waiting.shift()) {
      // A message that cannot be read is not shown; it is in the lists.
      await this.#consider(news).catch(() => undefined);
    }
    this.#isWorking = false;
  }

  #isActive(): boolean {
    const { account, isAllowed, now, settings, tabs } = this.#options;
    const moment = now();
    return (
      tabs.isFirst &&
      settings.isOn &&
      isAllowed() &&
      settings.pausedUntil(moment) === undefined &&
      !isQuiet(account()?.quiet_hours, moment)
    );
  }

  /** Whether an event can become a notification at all, before the message itself is asked for. */
  #mayMatter({ channel, created_at, from, mentions_me, to }: News): boolean {
    const { hasWorkflow, level, me, now } = this.#options;
    if (from === me || now().getTime() - Date.parse(created_at) > OLD_MILLISECONDS) return false;
    if (channel === null) return to === me;
    // Whoever is mentioned gets a direct message about it.
    if (mentions_me) return false;
    const wanted = level('channel', channel);
    return wanted === 'all' || (wanted === 'mentions' && hasWorkflow(channel));
  }

  async #consider({ message_id: id }: News): Promise<void> {
    const { account, api, isPushed, level, nameOf, show, tabs } = this.#options;
    const message: Message = await answer(api.GET('/api/messages/{id}', { params: { path: { id } } }));
    if (message.deleted_at != null) return;
    const notice = noticeOf(message, nameOf);
    const { kind, conversation, paths } = notice;
    if (account()?.kinds[kind] === false || !passesLevel(kind, level(conversation.kind, conversation.name)))
      return;
    const onScreen = await tabs.onScreen();
    if (onScreen.some((path) => paths.includes(path))) return;
    // The server pushes unless a tab is on screen; the same message is not shown twice.
    if (isPushed() && onScreen.length === 0) return;
    if (this.#isActive()) show(notice);
  }
}
