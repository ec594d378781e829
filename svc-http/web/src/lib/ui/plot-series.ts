/** One line of a plot. */
export interface PlotSeries {
  readonly title: string;
  readonly values: readonly (number | null)[];
  readonly tone?: 'accent' | 'good' | 'warn' | 'bad' | 'soft';
  /** Bars instead of a line, for counts. */
  readonly bars?: boolean;
}
