import { expect, test } from 'vitest';
import { areaOf, HEIGHT, lineOf, progressOf, topOf, towards, WIDTH } from './plot';
import { forecastInWords, isUsed, loopInWords, shareOf, toneOf, useInWords, type Loop } from './words';

test('a line runs from the lower left to the upper right, and never leaves the plot', () => {
  expect(
    lineOf([
      [0, 0],
      [1, 1],
    ]),
  ).toBe(`M0 ${HEIGHT}L${WIDTH} 0`);
  expect(
    lineOf([
      [-1, 2],
      [NaN, 0.5],
    ]),
  ).toBe(`M0 0L0 ${HEIGHT / 2}`);
  expect(areaOf([])).toBe('');
});

test('the progress of a period', () => {
  const [start, end] = ['2026-03-01T00:00:00Z', '2026-03-03T00:00:00Z'];
  expect(progressOf(start, end, Date.parse('2026-03-02T00:00:00Z'))).toBe(0.5);
  expect(progressOf(start, end, Date.parse('2026-04-01T00:00:00Z'))).toBe(1);
});

test('a line ends at the right edge, or where it leaves the plot', () => {
  expect(towards([0.5, 0.5], 0.75)).toEqual([
    [0.5, 0.5],
    [1, 0.75],
  ]);
  expect(towards([0.5, 0.5], 1.5)).toEqual([
    [0.5, 0.5],
    [0.75, 1],
  ]);
});

test('an empty plot has a height', () => expect(topOf(null, 0, undefined)).toBe(1));

test('a budget in words', () => {
  const use = { limit: 20, spent: 12, reserved: 0.5, forecast: 24 };
  expect(useInWords('usd', use)).toBe('$12.00 of $20.00 used, $0.50 reserved');
  expect(forecastInWords('usd', use)).toContain('above the limit');
  expect(forecastInWords('runs', { spent: 1, reserved: 0, forecast: null })).toBeUndefined();
  expect([
    shareOf(use),
    shareOf({ spent: 1, reserved: 0 }),
    shareOf({ limit: 0, spent: 0, reserved: 0 }),
  ]).toEqual([0.625, undefined, 1]);
  expect([toneOf(0.5), toneOf(0.8), toneOf(1)]).toEqual(['good', 'warn', 'bad']);
});

test('without a limit and without use, there is nothing to draw', () => {
  expect([
    isUsed({ limit: null, spent: 0, reserved: 0, forecast: 0 }),
    isUsed({ limit: 0, spent: 0, reserved: 0 }),
    isUsed({ spent: 0, reserved: 1 }),
  ]).toEqual([false, true, true]);
});

test('a flood has one agent', () => {
  const loop = { kind: 'flood', agent: 'bot', other: null, count: 61 } as Loop;
  expect(loopInWords(loop)).toBe('@bot sent 61 messages in a minute in one conversation.');
});
