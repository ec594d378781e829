/**
 * The part of every page in notifications: it says that somebody looks, goes where a notification leads, counts on the
 * icon of the app, and keeps the subscription of this browser in order.
 */

import type { App } from '../app/context';
import { followNotifications } from './opening';
import { subscriptionOwner } from './owner';
import { TabPresence } from './presence';

/** Nobody waits for it. */
const REFRESH_AFTER_MILLISECONDS = 5_000;

/** To be called while a component is being set up. */
export function attend({ account, api, router, store }: Pick<App, 'account' | 'api' | 'router' | 'store'>) {
  const presence = new TabPresence(api, window);
  const username = $derived(
    typeof account.who === 'object' && !account.isAssumed ? account.who.username : undefined,
  );

  $effect(() => {
    if (username !== undefined) return presence.start();
    return undefined;
  });

  $effect(() =>
    followNotifications(navigator.serviceWorker as ServiceWorkerContainer | undefined, (address) =>
      router.navigate(address),
    ),
  );

  $effect(() => showBadge(username === undefined ? 0 : store.waitingForMe));

  $effect(() => {
    const who = username;
    if (who === undefined || subscriptionOwner(() => localStorage) === undefined || !isAllowed()) return;
    const timer = setTimeout(
      () =>
        void import('./refresh').then(
          ({ refreshSubscription }) => refreshSubscription(api, window, who),
          // It is done at the next visit.
          () => undefined,
        ),
      REFRESH_AFTER_MILLISECONDS,
    );
    return () => clearTimeout(timer);
  });

  return {
    /** Before the logout: nobody looks any more. */
    leave: () => presence.withdraw(),
    /** The logout did not work. */
    stay: () => presence.look(),
    /** After the logout: what is meant for the person is not shown here any more. */
    forget: async () => {
      if (subscriptionOwner(() => localStorage) === undefined) return;
      await import('./refresh').then(
        ({ forgetSubscription }) => forgetSubscription(api, window),
        () => undefined,
      );
    },
  };
}

function isAllowed(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}

/** Only some browsers count on icons, and only for installed apps. */
function showBadge(count: number): void {
  const { setAppBadge } = navigator as Partial<Navigator>;
  void setAppBadge?.call(navigator, count).catch(() => undefined);
}
