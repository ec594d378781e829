/** The devices that get notifications: this one, turned on and off, and the others. */

import type { Api } from '../api/client';
import { isAborted, Problem, reasonOf } from '../api/problem';
import { listSubscriptions, removeSubscription, sendTest, type SubscriptionList } from './api';
import type { Support } from './support';
import { Refused, type ThisDevice } from './this-device';

export class Devices {
  readonly #api: Api;
  readonly #device: Pick<ThisDevice, 'isSubscribed' | 'subscribe' | 'unsubscribe'>;
  readonly #support: () => Support;
  #question = 0;
  #list: SubscriptionList | undefined = $state.raw();
  #isSubscribed = $state(false);

  support: Support = $state('ready');
  /** Whether this device is being turned on or off. */
  busy = $state(false);
  /** Why the devices could not be loaded; nothing when they could. */
  failure: string | undefined = $state();

  /** All of them; nothing until they are loaded. */
  readonly all = $derived(this.#list?.items);
  /** This one, when the browser and the server both have it. One that was renewed may be listed twice. */
  readonly current = $derived(
    this.#isSubscribed ? this.all?.filter((one) => one.current).sort((a, b) => b.id - a.id)[0] : undefined,
  );
  readonly others = $derived((this.all ?? []).filter((one) => one !== this.current));

  constructor(
    api: Api,
    device: Pick<ThisDevice, 'isSubscribed' | 'subscribe' | 'unsubscribe'>,
    support: () => Support,
  ) {
    this.#api = api;
    this.#device = device;
    this.#support = support;
    this.support = support();
  }

  async load(username: string): Promise<void> {
    const question = ++this.#question;
    try {
      const [list, isSubscribed] = await Promise.all([
        listSubscriptions(this.#api),
        this.#device.isSubscribed(username).catch(() => false),
      ]);
      if (question !== this.#question) return;
      this.#list = list;
      this.#isSubscribed = isSubscribed;
      this.failure = undefined;
    } catch (error) {
      if (question === this.#question && !isAborted(error)) this.failure = reasonOf(error);
    }
  }

  /** Turns this device on; throws when the person, the browser or the server refuses. */
  async turnOn(username: string): Promise<void> {
    await this.#busily(username, () => this.#device.subscribe(username));
  }

  /** Turns this device off. The browser comes first: from then on nothing is shown, whatever the server says. */
  async turnOff(username: string): Promise<void> {
    const id = this.current?.id;
    await this.#busily(username, async () => {
      await this.#device.unsubscribe();
      if (id !== undefined) await this.#remove(id);
    });
  }

  async remove(username: string, id: number): Promise<void> {
    try {
      await this.#remove(id);
    } finally {
      await this.load(username);
    }
  }

  /** To how many devices a test is on its way. */
  test(): Promise<number> {
    return sendTest(this.#api);
  }

  /** One that is gone already is what was wanted. */
  async #remove(id: number): Promise<void> {
    try {
      await removeSubscription(this.#api, id);
    } catch (error) {
      if (!(error instanceof Problem && error.status === 404)) throw error;
    }
  }

  async #busily(username: string, work: () => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await work();
    } finally {
      // The person may have just denied the permission.
      this.support = this.#support();
      await this.load(username);
      this.busy = false;
    }
  }
}

/** One sentence for the person, also for what the browser refused. */
export function pushReason(thrown: unknown): string {
  return thrown instanceof Refused ? thrown.message : reasonOf(thrown);
}
