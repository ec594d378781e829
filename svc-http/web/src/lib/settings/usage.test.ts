import { expect, test } from 'vitest';
import { usesOf } from './usage';

const GIB = 1024 ** 3;
const report = (
  used: number,
  limit: number | null | undefined,
  sent: number,
  most: number | null | undefined,
) =>
  usesOf({
    files: { used_bytes: used, ...(limit === undefined ? {} : { limit_bytes: limit }) },
    messages: { used: sent, ...(most === undefined ? {} : { limit: most }), window: '24h' },
  });

test('both are told with their numbers', () => {
  expect(report(1_572_864, 10 * GIB, 1_234, 200_000)).toEqual([
    { title: 'Files', text: '1.5 MiB of 10 GiB', share: 1_572_864 / (10 * GIB), tone: 'accent' },
    {
      title: 'Messages',
      text: '1,234 of 200,000 in the last 24 hours',
      share: 1_234 / 200_000,
      tone: 'accent',
    },
  ]);
});

test('what has no limit has no meter', () => {
  for (const none of [null, undefined]) {
    expect(report(0, none, 7, none)).toMatchObject([
      { text: '0 B, no limit', share: undefined },
      { text: '7 in the last 24 hours, no limit', share: undefined },
    ]);
  }
});

test.each([
  [79, 'accent'],
  [80, 'warn'],
  [100, 'bad'],
  [130, 'bad'],
])('%d of 100 is %s', (used, tone) => {
  const [, messages] = report(0, null, used, 100);
  expect(messages?.tone).toBe(tone);
  expect(messages?.share).toBeLessThanOrEqual(1);
});

test('a limit of nothing is reached', () => {
  expect(report(0, null, 0, 0)[1]).toMatchObject({ share: 1, tone: 'bad' });
});
