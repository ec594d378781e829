/** The part of every page in notifications of open tabs: it begins them once they are turned on. */

import type { App } from '../app/context';
import { clock } from '../time/clock.svelte';
import { inOneHour, nextMorning } from './quiet';
import { tabSettingsOf } from './tab-settings.svelte';

/** To be called while a component is being set up. */
export function notifyWhileOpen(app: App): void {
  const { account, announce, shortcuts } = app;
  const username = $derived(
    typeof account.who === 'object' && !account.isAssumed ? account.who.username : undefined,
  );
  const settings = $derived(username === undefined ? undefined : tabSettingsOf(username));
  const isOn = $derived(settings?.isOn === true && 'Notification' in window);

  $effect(() => {
    const known = settings;
    if (!known) return undefined;
    const changed = (event: StorageEvent) => known.storedElsewhere(event);
    addEventListener('storage', changed);
    return () => removeEventListener('storage', changed);
  });

  $effect(() => {
    const [known, me] = [settings, username];
    if (!isOn || !known || me === undefined) return undefined;
    let isOver = false;
    let stop: (() => void) | undefined;
    void import('./begin').then(
      ({ beginNotifying }) => {
        if (!isOver) stop = beginNotifying(app, known, me);
      },
      // It is tried again at the next visit.
      () => undefined,
    );
    return () => {
      isOver = true;
      stop?.();
    };
  });

  $effect(() => {
    const known = settings;
    if (!isOn || !known) return undefined;
    const pause = (until: (now: Date) => Date) => () => {
      known.pause(until(new Date(clock.read())));
      announce('Notifications paused');
    };
    const resume = () => {
      known.resume();
      announce('Notifications on');
    };
    const group = 'Notifications';
    const off = [
      shortcuts.add({ title: 'Pause notifications for 1 hour', group, run: pause(inOneHour) }),
      shortcuts.add({ title: 'Pause notifications until tomorrow', group, run: pause(nextMorning) }),
      shortcuts.add({ title: 'Resume notifications', group, run: resume }),
    ];
    return () => {
      for (const remove of off) remove();
    };
  });
}
