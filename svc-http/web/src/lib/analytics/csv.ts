/** The timeline as a table for other programs. */

import type { Schemas } from '../api/client';

/** After RFC 4180, with times as RFC 3339: spreadsheets read both. */
export function timelineCsv({ buckets }: Pick<Schemas['Activity'], 'buckets'>): string {
  const lines = buckets.map(({ start, sent, received }) => `${start},${sent},${received}`);
  return `${['start,sent,received', ...lines].join('\r\n')}\r\n`;
}
