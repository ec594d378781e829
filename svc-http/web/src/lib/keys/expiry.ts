/** How long a key is to last. */

export const EXPIRIES = [
  { value: '7', title: 'In 7 days' },
  { value: '30', title: 'In 30 days' },
  { value: '90', title: 'In 90 days' },
  { value: '365', title: 'In 1 year' },
  { value: 'never', title: 'Never' },
  { value: 'day', title: 'Custom date…' },
] as const;

/** When it ends, as the server takes it; nothing for one without an end. A chosen day is its last whole one. */
export function expiryOf(choice: string, day: string, now: number): string | undefined {
  if (choice === 'never') return undefined;
  if (choice !== 'day') return new Date(now + Number(choice) * 86_400_000).toISOString();
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date + 1).toISOString();
}
