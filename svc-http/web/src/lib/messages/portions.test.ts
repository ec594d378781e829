import { expect, test } from 'vitest';
import { endsOf, firstSpan, grown, nextPortion, spanOf, type Span } from './portions';

const list = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => ({ id: first + index }));

/** Draws until nothing is left; gives what was drawn at each step. */
function steps(span: Span, length: number): Span[] {
  const all = [span];
  while (span.from > 0 || span.to < length) {
    span = grown(span, length, span.to < length ? 'after' : 'before', 2);
    all.push(span);
    expect(all.length).toBeLessThan(100);
  }
  return all;
}

test('the newest come first, and in the end everything is there', () => {
  const all = steps(firstSpan(50), 50);
  expect(all[0]).toEqual({ from: 49, to: 50 });
  expect(all.at(-1)).toEqual({ from: 0, to: 50 });
  for (const [index, { from }] of all.entries())
    if (index > 0) expect(all[index - 1]!.from - from).toBeLessThan(3);
});

test('a list without rows has none to begin with', () => {
  expect(firstSpan(0)).toEqual({ from: 0, to: 0 });
  expect(firstSpan(1)).toEqual({ from: 0, to: 1 });
  expect(firstSpan(3, 7)).toEqual({ from: 2, to: 3 });
});

test('a view that begins in the middle is drawn around there', () => {
  const all = steps(firstSpan(50, 20), 50);
  expect(all[0]).toEqual({ from: 20, to: 21 });
  expect(all.at(-1)).toEqual({ from: 0, to: 50 });
});

test('what is said meanwhile is drawn at once, what is older in its turn', () => {
  const ends = endsOf(list(11, 60), { from: 0, to: 50 });
  expect(spanOf(list(11, 63), ends)).toEqual({ from: 0, to: 53 });
  expect(spanOf(list(1, 60), ends)).toEqual({ from: 10, to: 60 });
});

test('what was let go of at an end makes no difference', () => {
  expect(spanOf(list(30, 90), endsOf(list(1, 80), { from: 0, to: 80 }))).toEqual({ from: 0, to: 61 });
});

test('of a window elsewhere something is always drawn', () => {
  const ends = endsOf(list(500, 550), { from: 0, to: 51 });
  expect(spanOf(list(1, 50), ends)).toEqual({ from: 49, to: 50 });
  expect(spanOf([], ends)).toEqual({ from: 0, to: 0 });
});

test('a fast device draws more in one go, a slow one less, and never nothing', () => {
  expect([1, 2, 4, 8].map((rows) => nextPortion(rows, 1))).toEqual([2, 4, 8, 8]);
  expect([1, 4, 8].map((rows) => nextPortion(rows, 10))).toEqual([1, 4, 8]);
  expect([1, 3, 8].map((rows) => nextPortion(rows, 50))).toEqual([1, 1, 4]);
});
