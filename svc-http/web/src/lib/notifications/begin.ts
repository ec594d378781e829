/** Begins to show notifications in this tab; loaded only where a person has turned them on. */

import type { App } from '../app/context';
import { subscriptionOwner } from '../push/owner';
import { clock } from '../time/clock.svelte';
import { chime } from './chime';
import type { Notice } from './notice';
import { OpenTabs } from './open-tabs';
import { TabNotifier } from './tab-notifier';
import type { TabSettings } from './tab-settings.svelte';

type Needed = Pick<App, 'api' | 'live' | 'router' | 'store'>;

/** Shows notifications from now on; the result stops that. */
export function beginNotifying(app: Needed, settings: TabSettings, me: string): () => void {
  const { api, live, router, store } = app;
  const locks = navigator.locks as LockManager | undefined;
  // Notifications need a secure page, and there both are to be had.
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return () => undefined;
  const tabs = new OpenTabs(
    {
      locks,
      channel: (name) => new BroadcastChannel(name),
      path: () => (document.visibilityState === 'visible' ? router.path : undefined),
    },
    me,
  );
  const notifier = new TabNotifier({
    api,
    live,
    tabs,
    settings,
    me,
    account: () => store.notifications.value,
    level: (kind, name) => store.notifications.level(kind, name),
    hasWorkflow: (name) => store.channel(name)?.workflow_enabled === true,
    nameOf: (handle) => store.nameOf(handle),
    isPushed: () => subscriptionOwner(() => localStorage)?.username === me,
    isAllowed: () => Notification.permission === 'granted',
    now: () => new Date(clock.read()),
    show: (notice) => {
      void show(notice, (address) => router.navigate(address));
      if (settings.hasSound) chime();
    },
  });
  const stops = [tabs.start(), notifier.start()];
  return () => {
    for (const stop of stops) stop();
  };
}

async function show({ title, body, tag, url }: Notice, open: (address: string) => void): Promise<void> {
  // The sound is ours, or there is none.
  const options = { body, tag, icon: '/icon-192.png', silent: true, renotify: true };
  try {
    const notification = new Notification(title, options);
    notification.onclick = () => {
      window.focus();
      open(url);
      notification.close();
    };
  } catch {
    // Browsers on phones let only the service worker show them; it opens the page that `data` names.
    const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    const registration = await container?.getRegistration();
    await registration?.showNotification(title, { ...options, data: { url, actions: [] } });
  }
}
