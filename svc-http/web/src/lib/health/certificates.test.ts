import { expect, test } from 'vitest';
import { urgencyOf } from './certificates';

const NOW = Date.parse('2026-11-18T00:00:00Z');

test.each([
  [undefined, undefined],
  ['2026-12-18T00:00:00Z', undefined],
  ['2026-12-02T00:00:00Z', 'warn'],
  ['2026-11-18T00:00:00Z', 'bad'],
  ['2026-11-01T00:00:00Z', 'bad'],
])('a certificate that ends at %s is %s', (ends_at, urgency) => {
  expect(urgencyOf(ends_at === undefined ? {} : { ends_at }, NOW)).toBe(urgency);
});
