/** When a status ends. */

export const ENDS = [
  { value: 'never', title: 'Do not clear' },
  { value: '30', title: 'In 30 minutes' },
  { value: '60', title: 'In an hour' },
  { value: '240', title: 'In 4 hours' },
  { value: 'today', title: 'At the end of today' },
  { value: 'week', title: 'In a week' },
] as const;

/** The moment at which a status ends; nothing when it stays. */
export function endOf(choice: string, now: Date): string | undefined {
  if (choice === 'never') return undefined;
  const end = new Date(now);
  if (choice === 'today') end.setHours(24, 0, 0, 0);
  else if (choice === 'week') end.setDate(end.getDate() + 7);
  else end.setMinutes(end.getMinutes() + Number(choice));
  return end.toISOString();
}
