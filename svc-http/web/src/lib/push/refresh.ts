/** Keeps the subscription of this browser in order while nobody looks at the settings. */

import type { Api } from '../api/client';
import { listSubscriptions } from './api';
import { surfaceOf } from './browser';
import { ThisDevice } from './this-device';

/** Renews the subscription after a change of the key or of the login, and ends that of somebody else. */
export async function refreshSubscription(api: Api, browser: Window, username: string): Promise<void> {
  const device = new ThisDevice(api, surfaceOf(browser));
  const isKnown = async () => (await listSubscriptions(api)).items.some(({ current }) => current);
  // Whatever fails is tried again at the next visit, and shows in the settings.
  await device.refresh(username, isKnown).catch(() => undefined);
}

/** Ends the subscription of this browser, which does not outlive the login. */
export async function forgetSubscription(api: Api, browser: Window): Promise<void> {
  await new ThisDevice(api, surfaceOf(browser)).unsubscribe().catch(() => undefined);
}
