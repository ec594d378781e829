/** The texts of the graph: which of them are drawn, and where, so that none covers another. */

import type { GraphNode, Point } from './graph';

export interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

const LETTER = 6.4;
const LINE = 15;
const MOST_LETTERS = 26;

export function shortened(title: string): string {
  const letters = [...title];
  return letters.length <= MOST_LETTERS
    ? title
    : `${letters
        .slice(0, MOST_LETTERS - 1)
        .join('')
        .trimEnd()}…`;
}

type Box = { left: number; right: number; top: number; bottom: number };

const covers = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** How many of the first nodes have labels that may cover small nodes: without them the map has no landmarks. */
const LANDMARKS = 14;

/** The label of each node that has room for one, by its position. The first nodes come first. */
export function placeLabels(
  nodes: readonly GraphNode[],
  points: readonly Point[],
  width: number,
  height: number,
): ReadonlyMap<number, Label> {
  const dots = nodes.map((node, index) => dotOf(node, points[index]));
  const placed: Box[] = [];
  const labels = new Map<number, Label>();
  for (const [index, node] of nodes.entries()) {
    const others = index < LANDMARKS ? dots.slice(0, LANDMARKS) : dots;
    const label = [false, true]
      .map((isAbove) => labelOf(node, points[index] ?? { x: 0, y: 0 }, width, height, isAbove))
      .find((one) => {
        const box = boxOf(one);
        const isHidden = others.some((dot, place) => place !== index && covers(dot, box));
        return !isHidden && !placed.some((other) => covers(other, box));
      });
    if (!label) continue;
    placed.push(boxOf(label));
    labels.set(index, label);
  }
  return labels;
}

/** The labels of a node that is looked at, and of as many of its neighbours as there is room for. */
export function labelsAround(
  looked: number,
  neighbours: ReadonlySet<number>,
  nodes: readonly GraphNode[],
  points: readonly Point[],
  width: number,
  height: number,
): ReadonlyMap<number, Label> {
  const placed: Box[] = [];
  const labels = new Map<number, Label>();
  for (const index of [looked, ...[...neighbours].sort((left, right) => left - right)]) {
    const [node, point] = [nodes[index], points[index]];
    if (!node || !point) continue;
    const label = labelOf(node, point, width, height);
    const box = boxOf(label);
    if (placed.some((other) => covers(other, box))) continue;
    placed.push(box);
    labels.set(index, label);
  }
  return labels;
}

function dotOf({ radius }: GraphNode, { x, y }: Point = { x: 0, y: 0 }): Box {
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
}

function boxOf({ text, x, y }: Label): Box {
  const half = ([...text].length * LETTER) / 2;
  return { left: x - half, right: x + half, top: y - LINE + 4, bottom: y + 4 };
}

/** The label of one node, under it or above it, inside the picture. */
export function labelOf(
  node: GraphNode,
  { x, y }: Point,
  width: number,
  height: number,
  isAbove = false,
): Label {
  const text = shortened(node.title);
  const half = ([...text].length * LETTER) / 2 + 2;
  const below = y + node.radius + LINE - 2;
  return {
    text,
    x: Math.max(half, Math.min(x, width - half)),
    y: isAbove || below + 4 > height ? y - node.radius - 6 : below,
  };
}
