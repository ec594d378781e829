/** Keeps what is on screen for times without a connection, and shows it when the page is opened in such a time. */

import type { App } from '../app/context';

const GATHER_MILLISECONDS = 1_000;
const LOOK_MILLISECONDS = 5_000;

/** To be called while a component is being set up. */
export function keepForOffline({
  account,
  live,
  store,
  kept,
}: Pick<App, 'account' | 'live' | 'store' | 'kept'>) {
  $effect(() => {
    const { who, isAssumed, unanswered } = account;
    if (typeof who === 'object') {
      if (!isAssumed) void kept.own(who);
    } else if (who === 'nobody') void kept.wipe();
    else if (unanswered) void recall();
  });

  $effect(() => {
    const { me, channels, partners, agents } = store;
    const levels = store.notifications.conversations;
    if (live.state !== 'live' || !channels || !partners || !agents) return;
    const timer = setTimeout(
      () => void kept.keepLists({ me, channels, partners, agents, levels }),
      GATHER_MILLISECONDS,
    );
    return () => clearTimeout(timer);
  });

  // Until the server has said who is there, nothing is asked or sent in that person's name but this.
  $effect(() => {
    if (!account.isAssumed) return;
    const look = () => void account.load();
    const timer = setInterval(look, LOOK_MILLISECONDS);
    addEventListener('online', look);
    return () => {
      clearInterval(timer);
      removeEventListener('online', look);
    };
  });

  async function recall() {
    const [owner, lists] = await Promise.all([kept.owner(), kept.lists()]);
    if (!owner || !lists) return;
    if (!account.assume(owner)) return;
    store.restore(lists);
    live.showKept(new Date(lists.keptAt));
  }
}
