import { describe, expect, test } from 'vitest';
import { fullInWords, growthInWords, usePoints, type Outlook, type Sample } from './disk';

const GIB = 2 ** 30;
const NOW = Date.parse('2026-11-18T12:00:00Z');
const outlook = (part: Partial<Outlook>): Outlook => ({ samples: [], ...part });
const sample = (taken_at: string, free_bytes?: number): Sample => ({
  taken_at,
  store_bytes: 0,
  file_bytes: 0,
  ...(free_bytes === undefined ? {} : { free_bytes, total_bytes: 100 * GIB }),
});

describe('when the disk will be full', () => {
  test.each<[string, Partial<Outlook>, string]>([
    ['too few samples', {}, 'When it will be full can be told after a day or two of samples.'],
    ['nothing grows', { growth_per_day: 0 }, 'Its use does not grow at present.'],
    ['it shrinks', { growth_per_day: -GIB }, 'Its use does not grow at present.'],
    ['it lasts', { growth_per_day: 1_024 }, 'It will not be full for years.'],
    [
      'weeks',
      { growth_per_day: 1.2 * GIB, full_at: '2026-12-11T18:00:00.000Z' },
      'Full in about 23 days (2026-12-11) at 1.2 GiB a day.',
    ],
    [
      'a day',
      { growth_per_day: GIB, full_at: '2026-11-19T18:00:00.000Z' },
      'Full in about a day (2026-11-19) at 1 GiB a day.',
    ],
    [
      'hours',
      { growth_per_day: GIB, full_at: '2026-11-18T18:00:00.000Z' },
      'Full in less than a day (2026-11-18) at 1 GiB a day.',
    ],
  ])('%s', (_title, part, words) => {
    expect(fullInWords(outlook(part), NOW)).toBe(words);
  });
});

test('only what grows is told', () => {
  expect(growthInWords(outlook({}))).toBeUndefined();
  expect(growthInWords(outlook({ store_growth_per_day: -5, file_growth_per_day: 0 }))).toBeUndefined();
  expect(growthInWords(outlook({ store_growth_per_day: 2 * GIB, file_growth_per_day: GIB }))).toBe(
    'The store grows by 2 GiB a day. Attachments grow by 1 GiB a day.',
  );
});

test('the use is drawn over time, without the samples that know nothing of it', () => {
  const samples = [
    sample('2026-11-17T00:00:00.000Z', 100 * GIB),
    sample('2026-11-17T06:00:00.000Z'),
    sample('2026-11-17T12:00:00.000Z', 75 * GIB),
    sample('2026-11-18T00:00:00.000Z', 50 * GIB),
  ];
  expect(usePoints(samples)).toEqual([
    [0, 0],
    [0.5, 0.25],
    [1, 0.5],
  ]);
  expect(usePoints(samples.slice(0, 2))).toEqual([]);
  expect(usePoints([])).toEqual([]);
});
