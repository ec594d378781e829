import { expect, test } from 'vitest';
import { graphOf, heightFor, layOut, nearestIn, neighboursOf } from './graph';
import { labelOf, labelsAround, placeLabels, shortened } from './labels';
import { sampleMap, sampleSummary } from './sample';

test('the nodes are the articles of the map, each once, and what they want', () => {
  const graph = graphOf({
    ...sampleMap(0),
    hubs: [sampleSummary('deploy', 4), sampleSummary('on-call', 1)],
    stale: [{ ...sampleSummary('on-call', 1), is_stale: true }, sampleSummary('old')],
    wanted: [{ slug: 'rollback', link_count: 2 }],
    links: [
      { from: 'on-call', to: 'deploy' },
      { from: 'deploy', to: 'on-call' },
      { from: 'deploy', to: 'rollback' },
      { from: 'deploy', to: 'elsewhere' },
      { from: 'deploy', to: 'deploy' },
    ],
  });
  expect(graph.nodes.map(({ slug }) => slug)).toEqual(['deploy', 'rollback', 'on-call', 'old']);
  expect(graph.nodes[1]?.kind).toBe('wanted');
  expect(graph.edges).toEqual([
    [0, 2],
    [0, 1],
  ]);
  expect([...(neighboursOf(graph)[0] ?? [])].sort()).toEqual([1, 2]);
  expect(graph.nodes[0]!.radius).toBeGreaterThan(graph.nodes[3]!.radius);
});

test.each([0, 1, 2, 7, 40, 200])('%i nodes stay within the picture, apart from each other', (count) => {
  for (const width of [320, 1_100]) {
    const graph = graphOf(sampleMap(count));
    const height = heightFor(count, width);
    const points = layOut(graph, width, height);
    expect(points).toHaveLength(count);
    for (const { x, y } of points) {
      expect(x >= 0 && x <= width && y >= 0 && y <= height).toBe(true);
    }
    expect(new Set(points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)).size).toBe(count);
  }
});

test('the same map is drawn the same way', () => {
  const graph = graphOf(sampleMap(60));
  expect(layOut(graph, 900, 500)).toEqual(layOut(graphOf(sampleMap(60)), 900, 500));
});

test('200 nodes take a fraction of a second', () => {
  const graph = graphOf(sampleMap(200));
  layOut(graph, 1_000, 1_000);
  const times = [1, 2, 3, 4, 5].map(() => {
    const started = performance.now();
    layOut(graph, 1_000, 1_000);
    return performance.now() - started;
  });
  expect(Math.min(...times)).toBeLessThan(500);
});

test('the arrow keys lead to the nearest node on that side', () => {
  const points = [
    { x: 50, y: 50 },
    { x: 90, y: 55 },
    { x: 200, y: 50 },
    { x: 50, y: 10 },
  ];
  expect(nearestIn(points, 0, 1, 0)).toBe(1);
  expect(nearestIn(points, 0, 0, -1)).toBe(3);
  expect(nearestIn(points, 0, -1, 0)).toBe(0);
});

test('labels cover neither each other nor nodes, and stay within the picture', () => {
  const { nodes } = graphOf(sampleMap(2));
  const close = [
    { x: 100, y: 50 },
    { x: 110, y: 50 },
  ];
  expect(placeLabels(nodes, close, 300, 200).size).toBeLessThan(2);
  expect([...labelsAround(1, new Set([0]), nodes, close, 300, 200).keys()]).toEqual([1]);
  const apart = [
    { x: 60, y: 50 },
    { x: 220, y: 150 },
  ];
  expect(placeLabels(nodes, apart, 300, 200).size).toBe(2);
  expect(labelsAround(0, new Set([1]), nodes, apart, 300, 200).size).toBe(2);
  const label = labelOf(nodes[0]!, { x: 2, y: 198 }, 300, 200);
  expect(label.x).toBeGreaterThan(10);
  expect(label.y).toBeLessThan(198);
  expect(shortened('a'.repeat(50))).toHaveLength(26);
});
