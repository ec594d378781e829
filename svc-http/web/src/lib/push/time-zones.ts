/** Time zones to choose from, and the hours that are offered first. */

import type { QuietHours } from './api';

export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** All that the browser knows, and those that are in use although it does not. */
export function timeZones(...used: readonly string[]): { value: string; title: string }[] {
  const all = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...used]);
  return [...all].sort().map((zone) => ({ value: zone, title: zone.replaceAll('_', ' ') }));
}

export function usualQuietHours(): QuietHours {
  return { start: '22:00', end: '07:00', time_zone: browserTimeZone() };
}
