/** Lines of small plots as SVG paths. */

export const WIDTH = 600;
export const HEIGHT = 160;

/** A point with both of its values between 0 and 1, from the lower left corner. */
export type Point = readonly [x: number, y: number];

const inside = (value: number) => Math.min(1, Math.max(0, Number.isFinite(value) ? value : 0));

/** Where a height is drawn. */
export function yOf(value: number): number {
  return round((1 - inside(value)) * HEIGHT);
}

export function xOf(value: number): number {
  return round(inside(value) * WIDTH);
}

export function lineOf(points: readonly Point[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${xOf(x)} ${yOf(y)}`).join('');
}

/** The area under a line. */
export function areaOf(points: readonly Point[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  return `${lineOf(points)}L${xOf(last[0])} ${HEIGHT}L${xOf(first[0])} ${HEIGHT}Z`;
}

/** How far a moment is between two others, 0 to 1. */
export function progressOf(start: string, end: string, now: number): number {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  return to > from ? inside((now - from) / (to - from)) : 1;
}

/** The top of a plot that shows all of these, with some room. */
export function topOf(...values: readonly (number | null | undefined)[]): number {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  return most === 0 ? 1 : most * 1.1;
}

/**
 * A line from one point towards a height at the right edge, which ends where it leaves the plot. A forecast far above
 * the limit would otherwise flatten everything else.
 */
export function towards([x, y]: Point, height: number): readonly Point[] {
  if (height <= 1) {
    return [
      [x, y],
      [1, height],
    ];
  }
  return [
    [x, y],
    [x + ((1 - x) * (1 - y)) / (height - y), 1],
  ];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
