/** From when on events are sent again. */

export const SINCE = [
  { value: '1', title: 'The last hour' },
  { value: '24', title: 'The last 24 hours' },
  { value: '168', title: 'The last 7 days' },
  { value: 'time', title: 'Custom time…' },
] as const;

/** The time as the server takes it; nothing while none is chosen. `time` is local, without a zone. */
export function sinceOf(choice: string, time: string, now: number): string | undefined {
  if (choice !== 'time') return new Date(now - Number(choice) * 3_600_000).toISOString();
  const chosen = new Date(time);
  return Number.isNaN(chosen.getTime()) ? undefined : chosen.toISOString();
}
