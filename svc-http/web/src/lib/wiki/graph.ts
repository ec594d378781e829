/** The map as a graph: its nodes and links, and where they are drawn. The same map is always drawn the same way. */

import type { WikiMap } from './types';

export interface GraphNode {
  readonly slug: string;
  readonly title: string;
  readonly kind: 'article' | 'wanted';
  readonly isStale: boolean;
  /** How many articles link to it. */
  readonly links: number;
  readonly radius: number;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  /** Pairs of positions in `nodes`. */
  readonly edges: readonly (readonly [number, number])[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const SMALLEST = 6;
const LARGEST = 20;
/** Large maps settle in fewer rounds, because their nodes begin near their places. */
const roundsFor = (count: number) => (count > 120 ? 40 : count > 60 ? 80 : 140);
/** Between the edge of the picture and the nodes, with room for a line of text. */
const MARGIN = 28;
const GAP = 14;
/** How much less articles without links push others away. */
const ALONE = 0.3;
/** How far the picture is stretched at most. */
const WIDEST = 1.2;
/** Turns each next node away from those before it. */
const TURN = Math.PI * (3 - Math.sqrt(5));

/** All articles of the map, the most linked ones first, then those that are wanted. */
export function graphOf({ hubs, orphans, stale, wanted, links }: WikiMap): Graph {
  const nodes = new Map<string, GraphNode>();
  for (const { slug, title, is_stale, backlink_count } of [...hubs, ...stale, ...orphans]) {
    if (nodes.has(slug)) continue;
    const radius = radiusOf(backlink_count);
    nodes.set(slug, { slug, title, kind: 'article', isStale: is_stale, links: backlink_count, radius });
  }
  for (const { slug, link_count } of wanted) {
    if (nodes.has(slug)) continue;
    const radius = radiusOf(link_count);
    nodes.set(slug, { slug, title: slug, kind: 'wanted', isStale: false, links: link_count, radius });
  }
  const all = [...nodes.values()].sort(
    (left, right) => right.links - left.links || (left.slug < right.slug ? -1 : 1),
  );
  const places = new Map(all.map(({ slug }, index) => [slug, index]));
  const seen = new Set<string>();
  const edges = links.flatMap(({ from, to }) => {
    const [start, end] = [places.get(from), places.get(to)];
    if (start === undefined || end === undefined || start === end) return [];
    const pair = [Math.min(start, end), Math.max(start, end)] as const;
    if (seen.has(pair.join())) return [];
    seen.add(pair.join());
    return [pair];
  });
  return { nodes: all, edges };
}

function radiusOf(links: number): number {
  return Math.min(LARGEST, SMALLEST + 2.6 * Math.sqrt(links));
}

/** As high as its nodes need at a width. */
export function heightFor(count: number, width: number): number {
  return Math.round(Math.min(Math.max((count * 5_200) / Math.max(width, 1), 320), 1_000));
}

/** The positions of the neighbours of each node. */
export function neighboursOf({ nodes, edges }: Graph): readonly ReadonlySet<number>[] {
  const found = nodes.map(() => new Set<number>());
  for (const [start, end] of edges) {
    found[start]?.add(end);
    found[end]?.add(start);
  }
  return found;
}

/** Linked nodes pull each other, all others push; then everything is stretched to the picture. */
export function layOut({ nodes, edges }: Graph, width: number, height: number): Point[] {
  const count = nodes.length;
  if (count === 0) return [];
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  const moveX = new Float64Array(count);
  const moveY = new Float64Array(count);
  // The distance at which pull and push are even.
  const even = Math.sqrt((width * height) / count) * 0.72;
  for (let index = 0; index < count; index += 1) {
    const distance = even * 0.6 * Math.sqrt(index);
    x[index] = distance * Math.cos(index * TURN);
    y[index] = distance * Math.sin(index * TURN);
  }
  const wide = width / Math.max(height, 1);
  const degree = new Float64Array(count);
  for (const [start, end] of edges) {
    degree[start]! += 1;
    degree[end]! += 1;
  }
  // Articles without links are not to take the room of those that have many.
  const weight = degree.map((links) => (links === 0 ? ALONE : 1));

  const rounds = roundsFor(count);
  for (let round = 0; round < rounds; round += 1) {
    moveX.fill(0);
    moveY.fill(0);
    for (let one = 0; one < count; one += 1) {
      for (let other = one + 1; other < count; other += 1) {
        const dx = x[one]! - x[other]!;
        const dy = y[one]! - y[other]!;
        const square = Math.max(dx * dx + dy * dy, 0.01);
        const push = (even * even * weight[one]! * weight[other]!) / square;
        moveX[one]! += dx * push;
        moveY[one]! += dy * push;
        moveX[other]! -= dx * push;
        moveY[other]! -= dy * push;
      }
    }
    for (const [start, end] of edges) {
      const dx = x[start]! - x[end]!;
      const dy = y[start]! - y[end]!;
      const pull = Math.sqrt(dx * dx + dy * dy) / (even * Math.sqrt(Math.max(degree[start]!, degree[end]!)));
      moveX[start]! -= dx * pull;
      moveY[start]! -= dy * pull;
      moveX[end]! += dx * pull;
      moveY[end]! += dy * pull;
    }
    const step = even * 0.5 * (1 - round / rounds);
    for (let index = 0; index < count; index += 1) {
      // To the middle, less so along the longer side.
      moveX[index]! -= (x[index]! * 0.35) / Math.max(wide, 1);
      moveY[index]! -= y[index]! * 0.35 * Math.min(wide, 1);
      const length = Math.sqrt(moveX[index]! ** 2 + moveY[index]! ** 2) || 1;
      const most = Math.min(length, step);
      x[index]! += (moveX[index]! / length) * most;
      y[index]! += (moveY[index]! / length) * most;
    }
  }
  return fit(nodes, x, y, width, height);
}

/** Stretches the picture to its frame, then parts what touches. */
function fit(
  nodes: readonly GraphNode[],
  x: Float64Array,
  y: Float64Array,
  width: number,
  height: number,
): Point[] {
  const along = (values: Float64Array, length: number) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const room = Math.max(length - 2 * MARGIN, 0);
    // A few nodes stay together in the middle.
    const scale = Math.min(room / Math.max(high - low, 1e-6), WIDEST);
    return Array.from(values, (value) => length / 2 + (value - (low + high) / 2) * scale);
  };
  const [across, down] = [along(x, width), along(y, height)];
  const within = (value: number, length: number) => Math.min(Math.max(value, MARGIN), length - MARGIN);
  let isMoved = true;
  for (let round = 0; round < 12 && isMoved; round += 1) {
    isMoved = false;
    for (let one = 0; one < nodes.length; one += 1) {
      for (let other = one + 1; other < nodes.length; other += 1) {
        const least = nodes[one]!.radius + nodes[other]!.radius + GAP;
        const dx = across[one]! - across[other]!;
        const dy = down[one]! - down[other]!;
        const square = dx * dx + dy * dy;
        if (square >= least * least) continue;
        isMoved = true;
        const distance = Math.sqrt(square);
        const [alongX, alongY] =
          distance < 0.01 ? [Math.cos(other), Math.sin(other)] : [dx / distance, dy / distance];
        const half = (least - distance) / 2;
        across[one] = within(across[one]! + alongX * half, width);
        down[one] = within(down[one]! + alongY * half, height);
        across[other] = within(across[other]! - alongX * half, width);
        down[other] = within(down[other]! - alongY * half, height);
      }
    }
  }
  return nodes.map((_, index) => ({ x: across[index]!, y: down[index]! }));
}

/** The node nearest to another one in a direction, for the arrow keys. */
export function nearestIn(points: readonly Point[], from: number, dx: -1 | 0 | 1, dy: -1 | 0 | 1): number {
  const start = points[from];
  if (!start) return from;
  let [best, bestCost] = [from, Infinity];
  for (const [index, { x, y }] of points.entries()) {
    const ahead = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    const cost = ahead + 2 * aside;
    if (index !== from && ahead > 0.5 && cost < bestCost) [best, bestCost] = [index, cost];
  }
  return best;
}
