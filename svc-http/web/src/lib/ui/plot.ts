/** Draws with uPlot. This file is a chunk of its own: only pages with plots load it. */

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { PlotSeries } from './plot-series';

const TONES = {
  accent: '--accent',
  good: '--good',
  warn: '--warn',
  bad: '--bad',
  soft: '--line-strong',
} as const;

/** `light-dark()` cannot be drawn on a canvas, so the browser is asked for the colour of an element. */
function colour(element: HTMLElement, variable: string): string {
  const before = element.style.color;
  element.style.color = `var(${variable})`;
  const resolved = getComputedStyle(element).color;
  element.style.color = before;
  return resolved;
}

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const DAY_SECONDS = 86_400;

/** Hours, or days where the marks are that far apart; a midnight is named by the day that it begins. */
function timesOf(_plot: uPlot, marks: number[], _axis: number, _space: number, step: number): string[] {
  return marks.map((mark) => {
    const time = hour.format(mark * 1_000);
    return step >= DAY_SECONDS || time === '00:00' ? day.format(mark * 1_000) : time;
  });
}

export interface DrawnPlot {
  resize(width: number): void;
  destroy(): void;
}

export function drawPlot(
  target: HTMLElement,
  times: readonly number[],
  series: readonly PlotSeries[],
  height: number,
): DrawnPlot {
  const [ink, line] = [colour(target, '--ink-soft'), colour(target, '--line')];
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const plot = new uPlot(
    {
      width: target.clientWidth,
      height,
      cursor: { y: false, drag: { x: false, y: false } },
      legend: { live: true },
      scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] } },
      axes: [
        { ...axis, font: '11px sans-serif', values: timesOf },
        { ...axis, font: '11px sans-serif', size: 44 },
      ],
      series: [
        { label: 'Time', value: (_plot, time) => (time === null ? '–' : moment.format(time * 1_000)) },
        ...series.map(({ title, tone = 'accent', bars = false }) => {
          const stroke = colour(target, TONES[tone]);
          const paths = bars ? uPlot.paths.bars?.({ size: [0.7, 40] }) : undefined;
          return {
            label: title,
            stroke,
            width: bars ? 0 : 1.75,
            fill: bars ? stroke : `color-mix(in srgb, ${stroke} 12%, transparent)`,
            points: { show: false },
            ...(paths ? { paths } : {}),
          };
        }),
      ],
    },
    [[...times], ...series.map(({ values }) => [...values])] as uPlot.AlignedData,
    target,
  );
  return {
    resize: (width) => plot.setSize({ width, height }),
    destroy: () => plot.destroy(),
  };
}
