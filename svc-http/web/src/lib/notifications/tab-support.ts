/** Whether this browser lets an open page show notifications. */

import type { Support } from '../push/support';

export function tabSupportOf(browser: Pick<Window, 'isSecureContext'>): Exclude<Support, 'not installed'> {
  if (!browser.isSecureContext) return 'insecure';
  if (!('Notification' in browser) || !('locks' in navigator)) return 'missing';
  return Notification.permission === 'denied' ? 'denied' : 'ready';
}
