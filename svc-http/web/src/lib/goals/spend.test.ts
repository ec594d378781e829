import { expect, test } from 'vitest';
import { changesOf } from './changes';
import { barsOf } from './billing';
import { sampleGoal } from './sample';
import { budgetOf, isSameBudget, percentOf, spendInWords, spendLines, tightest } from './spend';

test.each([
  [0, 'good', '0 %'],
  [0.79, 'good', '79 %'],
  [0.8, 'warn', '80 %'],
  [0.999, 'warn', '99 %'],
  [1, 'bad', '100 %'],
  [1.04, 'bad', '104 %'],
])('%d of the budget is shown as %s, %s', (usd, tone, percent) => {
  expect(spendLines({ usd, tokens: 0 }, { usd: 1 })[0]).toMatchObject({ share: usd, tone, percent });
});

test('it says 100 % only when everything is used', () => {
  expect(percentOf(0.996)).toBe('99 %');
  expect(percentOf(12.5)).toBe('1,250 %');
});

test('a budget of nothing is used up', () => {
  expect(spendLines({ usd: 0, tokens: 0 }, { usd: 0 })[0]).toMatchObject({ share: 1, tone: 'bad' });
});

test('without a limit there is only the figure', () => {
  const lines = spendLines({ usd: 1.2, tokens: 1204 }, {});
  expect(lines.map(({ text }) => text)).toEqual(['$1.20', '1,204 tokens']);
  expect(lines.map(({ share }) => share)).toEqual([undefined, undefined]);
});

test('tokens are left out when there are none and no limit', () => {
  expect(spendLines({ usd: 0, tokens: 0 }, {}).map(({ resource }) => resource)).toEqual(['usd']);
  expect(spendInWords({ usd: 0.5, tokens: 0 }, { usd: 2, tokens: 10_000 })).toBe(
    '$0.50 of $2.00, 0 of 10,000 tokens',
  );
  expect(spendInWords({ usd: 0, tokens: 1 }, {})).toBe('$0.00, 1 token');
});

test('the limit that is used most is the tightest', () => {
  expect(tightest({ usd: 1, tokens: 90 }, { usd: 2, tokens: 100 })?.resource).toBe('tokens');
  expect(tightest({ usd: 1, tokens: 90 }, { usd: 2 })?.resource).toBe('usd');
  expect(tightest({ usd: 1, tokens: 90 }, {})).toBeUndefined();
});

test('empty fields are no limit', () => {
  expect(budgetOf('', '')).toEqual({});
  expect(budgetOf(' 2.5 ', undefined)).toEqual({ usd: 2.5 });
  expect(budgetOf(0, 100)).toEqual({ usd: 0, tokens: 100 });
  expect(isSameBudget({ usd: null }, {})).toBe(true);
  expect(isSameBudget({ usd: 0 }, {})).toBe(false);
});

test('only what was changed in a goal is sent', () => {
  const goal = sampleGoal(1, { title: 'Ship', coordinator: 'planner', budget: { usd: 5 } });
  const form = {
    title: 'Ship',
    description: '',
    coordinator: 'planner',
    usd: 5,
    tokens: '',
    autonomy: 'supervised',
  } as const;
  expect(changesOf(goal, form)).toEqual({});
  expect(changesOf(goal, { ...form, title: ' Ship it ', usd: '' })).toEqual({ title: 'Ship it', budget: {} });
  expect(changesOf(goal, { ...form, coordinator: '', autonomy: 'autonomous' })).toEqual({
    coordinator: '',
    autonomy: 'autonomous',
  });
});

test('the longest bar is the largest cost; without money tokens count', () => {
  const bars = barsOf([
    { code: 'a', usd: 3, tokens: 1 },
    { code: null, usd: 1, tokens: 9 },
  ]);
  expect(bars.map(({ length, share }) => [length, share])).toEqual([
    [1, 0.75],
    [1 / 3, 0.25],
  ]);
  expect(barsOf([{ usd: 0, tokens: 5 }])[0]).toMatchObject({ code: undefined, length: 1, share: 1 });
  expect(barsOf([{ usd: 0, tokens: 0 }])[0]).toMatchObject({ length: 0, share: undefined });
});
