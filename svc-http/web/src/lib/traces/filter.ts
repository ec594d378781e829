/** Which traces are wanted: in the address of the page, and as the server takes it. */

export interface TraceFilter {
  readonly agent?: string;
  readonly action?: string;
  /** Only those that failed, or only those that did not. */
  readonly outcome?: 'failed' | 'fine';
  /** The last hour, day and so on; or `range` with days of its own. */
  readonly span?: Span;
  /** Days, as `2026-11-15`; the second is included. */
  readonly from?: string;
  readonly to?: string;
}

export const SPANS = [
  { value: '', title: 'All time', hours: undefined },
  { value: '1h', title: 'Last hour', hours: 1 },
  { value: '24h', title: 'Last 24 hours', hours: 24 },
  { value: '7d', title: 'Last 7 days', hours: 7 * 24 },
  { value: '30d', title: 'Last 30 days', hours: 30 * 24 },
  { value: 'range', title: 'Custom range', hours: undefined },
] as const;
export type Span = Exclude<(typeof SPANS)[number]['value'], ''>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the filter from an address; what makes no sense is left out. */
export function readFilter(query: URLSearchParams): TraceFilter {
  const [agent, action, outcome] = [query.get('agent'), query.get('action'), query.get('outcome')];
  const span = SPANS.find(({ value }) => value !== '' && value === query.get('span'))?.value as
    Span | undefined;
  const day = (name: string) => {
    const text = query.get(name) ?? '';
    return span === 'range' && DAY.test(text) ? text : undefined;
  };
  const [from, to] = [day('from'), day('to')];
  return {
    ...(agent ? { agent } : {}),
    ...(action ? { action } : {}),
    ...(outcome === 'failed' || outcome === 'fine' ? { outcome } : {}),
    ...(span ? { span } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  };
}

export interface TraceQuery {
  agent?: string;
  action?: string;
  error?: boolean;
  after?: string;
  before?: string;
}

/** What the server is asked. Days are those of the person’s clock, not of UTC. */
export function queryOf(filter: TraceFilter, now: number): TraceQuery {
  const hours = SPANS.find(({ value }) => value === filter.span)?.hours;
  const after = hours === undefined ? startOf(filter.from, 0) : new Date(now - hours * 3_600_000);
  const before = startOf(filter.to, 1);
  return {
    ...(filter.agent ? { agent: filter.agent } : {}),
    ...(filter.action ? { action: filter.action } : {}),
    ...(filter.outcome ? { error: filter.outcome === 'failed' } : {}),
    ...(after ? { after: after.toISOString() } : {}),
    ...(before ? { before: before.toISOString() } : {}),
  };
}

/** Where the same traces are downloaded. */
export function exportAddress(filter: TraceFilter, format: 'csv' | 'json', now: number): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(queryOf(filter, now))) query.set(name, String(value));
  return `/api/traces/export?${query}`;
}

function startOf(day: string | undefined, later: number): Date | undefined {
  const [year, month, date] = (day ?? '').split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const start = new Date(year, month - 1, date + later);
  return Number.isNaN(start.getTime()) ? undefined : start;
}
