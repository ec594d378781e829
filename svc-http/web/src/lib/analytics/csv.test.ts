import { expect, test } from 'vitest';
import { timelineCsv } from './csv';

test('one line for each bucket under a head', () => {
  const buckets = [
    { start: '2026-03-01T10:00:00.000Z', sent: 2, received: 0 },
    { start: '2026-03-01T11:00:00.000Z', sent: 0, received: 31 },
  ];
  expect(timelineCsv({ buckets })).toBe(
    'start,sent,received\r\n2026-03-01T10:00:00.000Z,2,0\r\n2026-03-01T11:00:00.000Z,0,31\r\n',
  );
});
