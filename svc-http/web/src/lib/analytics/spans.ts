/** The times that activity is shown for. */

import type { Schemas } from '../api/client';

export type Span = Schemas['Span'];

export const SPANS: readonly { span: Span; title: string }[] = [
  { span: '1h', title: 'last hour' },
  { span: '4h', title: 'last 4 hours' },
  { span: '24h', title: 'last 24 hours' },
  { span: '7d', title: 'last 7 days' },
  { span: '30d', title: 'last 30 days' },
];

/** The span that an address names; a day when it names none of ours. */
export function readSpan(text: string | null): Span {
  return SPANS.find(({ span }) => span === text)?.span ?? '24h';
}

export function spanTitle(wanted: Span): string {
  return SPANS.find(({ span }) => span === wanted)?.title ?? wanted;
}
