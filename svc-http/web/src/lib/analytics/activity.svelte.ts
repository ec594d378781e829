/** Messages over time, and who is behind them. */

import { answer, type Api, type Schemas } from '../api/client';
import { Resource } from '../api/resource.svelte';
import type { Live } from '../live/live.svelte';
import type { PlotSeries } from '../ui/plot-series';
import type { Span } from './spans';

/** A busy hub must not make every open page ask all the time. */
const GATHER_MILLISECONDS = 2_000;
/** Buckets begin and end without anybody writing. */
const TURN_MILLISECONDS = 60_000;

export interface ActivityFigures {
  readonly span: Span;
  readonly timeline: Schemas['Activity'];
  readonly agents: readonly Schemas['AgentRank'][];
  readonly channels: readonly Schemas['ChannelRank'][];
}

export class Activity {
  readonly #live: Pick<Live, 'on'>;
  #span: Span = '24h';
  readonly figures: Resource<ActivityFigures>;

  /** Seconds since 1970 at which the buckets begin. */
  readonly times: readonly number[] = $derived.by(() =>
    this.#buckets().map(({ start }) => Date.parse(start) / 1_000),
  );
  readonly series: readonly PlotSeries[] = $derived.by(() => [
    { title: 'Sent', values: this.#buckets().map(({ sent }) => sent), tone: 'accent' as const },
    { title: 'Received', values: this.#buckets().map(({ received }) => received), tone: 'good' as const },
  ]);
  readonly total: number = $derived.by(() =>
    this.#buckets().reduce((sum, { sent, received }) => sum + sent + received, 0),
  );

  constructor(api: Api, live: Pick<Live, 'on'>, limit: number) {
    this.#live = live;
    this.figures = new Resource(async (signal) => {
      const span = this.#span;
      const ranked = { params: { query: { span, limit } }, signal };
      const [timeline, { agents }, { channels }] = await Promise.all([
        answer(api.GET('/api/analytics/timeline', { params: { query: { span } }, signal })),
        answer(api.GET('/api/analytics/top-agents', ranked)),
        answer(api.GET('/api/analytics/top-channels', ranked)),
      ]);
      return { span, timeline, agents, channels };
    });
  }

  show(span: Span): void {
    this.#span = span;
    void this.figures.load();
  }

  /** Keeps the figures current; the result stops that. */
  watch(page: Pick<Document, 'visibilityState'>): () => void {
    const off = this.#live.on('new_message', () => this.figures.loadSoon(GATHER_MILLISECONDS));
    const timer = setInterval(() => {
      if (page.visibilityState === 'visible') void this.figures.load();
    }, TURN_MILLISECONDS);
    return () => {
      off();
      clearInterval(timer);
      this.figures.stop();
    };
  }

  #buckets(): readonly Schemas['ActivityBucket'][] {
    return this.figures.value?.timeline.buckets ?? [];
  }
}
