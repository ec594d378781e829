import { expect, test } from 'vitest';
import { ENDS, endOf } from './status';

const NOW = new Date('2026-03-31T22:30:00Z');

test.each([
  ['never', undefined],
  ['30', '2026-03-31T23:00:00.000Z'],
  ['60', '2026-03-31T23:30:00.000Z'],
  ['240', '2026-04-01T02:30:00.000Z'],
  ['today', '2026-04-01T00:00:00.000Z'],
  ['week', '2026-04-07T22:30:00.000Z'],
])('%s ends at %s', (choice, end) => expect(endOf(choice, NOW)).toBe(end));

test('every choice ends in the future or never', () => {
  for (const { value } of ENDS) {
    const end = endOf(value, NOW);
    expect(end === undefined || new Date(end) > NOW).toBe(true);
  }
});
