/** The disk of the hub: when it will be full, in words, and its use as a plot. */

import type { Schemas } from '../api/client';
import type { Point } from '../governance/plot';
import { binarySize } from '../messages/size';

export type Outlook = Schemas['DiskOutlook'];
export type Sample = Schemas['DiskSample'];

const DAY = 86_400_000;

/** `Full in about 23 days (2026-12-11) at 1.2 GiB a day.` */
export function fullInWords({ full_at, growth_per_day }: Outlook, now: number): string {
  if (growth_per_day == null) return 'When it will be full can be told after a day or two of samples.';
  if (full_at == null)
    return growth_per_day > 0 ? 'It will not be full for years.' : 'Its use does not grow at present.';
  const days = Math.floor((Date.parse(full_at) - now) / DAY);
  return `Full in ${daysInWords(days)} (${full_at.slice(0, 10)}) at ${binarySize(growth_per_day)} a day.`;
}

/** What of the hub itself grows; nothing when nothing does. */
export function growthInWords({ store_growth_per_day, file_growth_per_day }: Outlook): string | undefined {
  const parts = [
    ['The store grows', store_growth_per_day],
    ['Attachments grow', file_growth_per_day],
  ] as const;
  const words = parts.flatMap(([part, growth]) =>
    growth != null && growth > 0 ? [`${part} by ${binarySize(growth)} a day.`] : [],
  );
  return words.length > 0 ? words.join(' ') : undefined;
}

/** The use of the disk over time, as parts of its largest size; nothing when there is too little to draw. */
export function usePoints(samples: readonly Sample[]): readonly Point[] {
  const known = samples.flatMap(({ taken_at, free_bytes, total_bytes }) =>
    free_bytes == null || total_bytes == null
      ? []
      : [{ at: Date.parse(taken_at), used: total_bytes - free_bytes, total: total_bytes }],
  );
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || last.at <= first.at) return [];
  const top = Math.max(1, ...known.map(({ total }) => total));
  return known.map(({ at, used }) => [(at - first.at) / (last.at - first.at), used / top]);
}

function daysInWords(days: number): string {
  if (days < 1) return 'less than a day';
  return days === 1 ? 'about a day' : `about ${days.toLocaleString('en')} days`;
}
