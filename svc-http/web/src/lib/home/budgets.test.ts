import { expect, test } from 'vitest';
import type { BudgetUse } from '../governance/words';
import { alertOf } from './budgets';

const unused = { limit: null, spent: 0, reserved: 0 };
const use = (more: object) =>
  ({ agent: 'bot', usd: unused, tokens: unused, runs: unused, ...more }) as unknown as BudgetUse;

test('a budget is told of once most of a limit is used', () => {
  expect(alertOf(use({}))).toBeUndefined();
  expect(alertOf(use({ runs: { limit: 10, spent: 7, reserved: 0 } }))).toBeUndefined();
  expect(alertOf(use({ runs: { limit: 10, spent: 7, reserved: 1 } }))).toMatchObject({
    title: '@bot comes near its budget',
    text: expect.stringContaining('of 10 used'),
  });
  const both = { runs: { limit: 10, spent: 8, reserved: 0 }, tokens: { limit: 5, spent: 5, reserved: 0 } };
  expect(alertOf(use(both))).toMatchObject({
    title: '@bot has used its budget',
    text: expect.stringContaining('of 5 used'),
  });
});

test('an agent that is paused is told of as such', () => {
  const spent = { limit: 10, spent: 10, reserved: 0 };
  expect(alertOf(use({ runs: spent, paused_at: '2026-03-01T12:00:00Z' }))).toBeUndefined();
});
