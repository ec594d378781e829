/** The parts of a real browser that the push subscription needs. */

import { browserName } from '../settings/browser-name';
import type { Surface } from './this-device';

export function surfaceOf(browser: Window): Surface {
  return {
    // The types know only pages with TLS.
    container: browser.navigator.serviceWorker as ServiceWorkerContainer | undefined,
    requestPermission: () => Notification.requestPermission(),
    storage: () => browser.localStorage,
    device: browserName(browser.navigator.userAgent).slice(0, 80),
  };
}
