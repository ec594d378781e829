/** What every page and component may use: `const { api, store, router } = getApp()`. */

import { createContext } from 'svelte';
import type { Account } from '../account/account.svelte';
import type { Api } from '../api/client';
import type { Hub } from '../hub/hub.svelte';
import type { Kept } from '../kept/kept';
import type { Live } from '../live/live.svelte';
import type { Profiles } from '../people/profiles.svelte';
import type { PageRouter } from '../router/context';
import type { Shortcuts } from '../shortcuts/shortcuts.svelte';
import type { Theme } from '../theme/theme.svelte';
import type { Toasts } from '../toasts/toasts.svelte';
import type { Bar } from '../shell/bar.svelte';

export interface App {
  /** Typed calls: `await answer(api.GET('/api/channels'))`. */
  readonly api: Api;
  /** The stream of events: `$effect(() => live.on('new_message', …))`. */
  readonly live: Live;
  /** Me, channels, partners, agents; always current. */
  readonly store: Hub;
  /** Avatars, status and presence of people and agents; kept current. */
  readonly profiles: Profiles;
  readonly account: Account;
  /** What is shown without a connection. */
  readonly kept: Kept;
  readonly router: PageRouter;
  readonly theme: Theme;
  readonly toasts: Toasts;
  /** Announces a text to screen readers (`aria-live="polite"`). */
  readonly announce: (text: string) => void;
  /** Commands of the keyboard and the palette: `$effect(() => shortcuts.add(…))`. */
  readonly shortcuts: Shortcuts;
  /** What the top bar shows for the page; use `PageBar`. */
  readonly bar: Bar;
}

export const [getApp, setApp] = createContext<App>();
