/** The push subscription of this browser: made, renewed, ended. */

import type { Api } from '../api/client';
import { addSubscription, currentSession, vapidKey, type NewSubscription, type Subscription } from './api';
import { isMadeFor, keyBytes } from './key';
import { ownSubscription, subscriptionOwner, type Owner } from './owner';

/** Says to the person, in a sentence, why the browser made no subscription. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The parts of a browser that it uses; a test gives a small stand-in. */
export interface Surface {
  readonly container: Pick<ServiceWorkerContainer, 'getRegistration' | 'register' | 'ready'> | undefined;
  readonly requestPermission: () => Promise<NotificationPermission>;
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** The name of the device. */
  readonly device: string;
}

export class ThisDevice {
  readonly #api: Api;
  readonly #surface: Surface;

  constructor(api: Api, surface: Surface) {
    this.#api = api;
    this.#surface = surface;
  }

  /** Whether the browser has a subscription that this person made. */
  async isSubscribed(username: string): Promise<boolean> {
    return this.#owner()?.username === username && (await this.#subscription()) !== undefined;
  }

  /** Asks for permission where it has not been given, subscribes, and tells the server. */
  async subscribe(username: string): Promise<Subscription> {
    // Asked for first: browsers want that close to the click.
    const permission = await this.#surface.requestPermission();
    if (permission !== 'granted')
      throw new Refused('Notifications were not allowed. Allow them in the site settings of the browser.');
    const key = keyBytes(await vapidKey(this.#api));
    const { pushManager } = await this.#installed();
    const old = await pushManager.getSubscription();
    // A browser has one subscription, and refuses another key while there is one.
    if (old && !isMadeFor(key, old.options.applicationServerKey)) await old.unsubscribe();
    const subscription = await pushManager
      .subscribe({ userVisibleOnly: true, applicationServerKey: key })
      .catch((error: unknown) => {
        throw new Refused(
          `The browser could not reach its push service (${error instanceof Error ? error.message : 'no reason given'}). Try again later.`,
        );
      });
    const added = await addSubscription(this.#api, {
      ...(subscription.toJSON() as NewSubscription),
      device: this.#surface.device,
    });
    // Without it, the subscription is renewed once more than needed.
    const session = await currentSession(this.#api).catch(() => undefined);
    this.#own({ username, session });
    return added;
  }

  /** Ends the subscription in this browser; the push service then refuses what the server still sends. */
  async unsubscribe(): Promise<void> {
    this.#own(undefined);
    await (await this.#subscription())?.unsubscribe();
  }

  /**
   * Makes good what has changed since the last visit: another key of the server, another login, another person. `isKnown`
   * tells whether the server has a subscription of this login. One that it has lost although the login is the same was
   * removed elsewhere, or is dead.
   */
  async refresh(username: string, isKnown: () => Promise<boolean>): Promise<void> {
    const subscription = await this.#subscription();
    const owner = this.#owner();
    if (!subscription || owner === undefined) return;
    if (owner.username !== username) return this.unsubscribe();
    const known = await isKnown();
    if (!known && owner.session === (await currentSession(this.#api))) return this.unsubscribe();
    const key = keyBytes(await vapidKey(this.#api));
    if (known && isMadeFor(key, subscription.options.applicationServerKey)) return;
    await this.subscribe(username);
  }

  async #subscription(): Promise<PushSubscription | undefined> {
    const registration = await this.#surface.container?.getRegistration();
    // Some browsers have service workers and no push.
    const manager = registration?.pushManager as PushManager | undefined;
    return (await manager?.getSubscription()) ?? undefined;
  }

  async #installed(): Promise<ServiceWorkerRegistration> {
    const { container } = this.#surface;
    const registration =
      (await container?.getRegistration()) ?? (await container?.register('/sw.js').catch(() => undefined));
    if (!container || !registration)
      throw new Refused('The browser could not install the service worker. Reload the page and try again.');
    return container.ready;
  }

  #owner(): Owner | undefined {
    return subscriptionOwner(this.#surface.storage);
  }

  #own(owner: Owner | undefined): void {
    ownSubscription(this.#surface.storage, owner);
  }
}
