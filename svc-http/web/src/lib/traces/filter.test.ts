import { expect, test } from 'vitest';
import { exportAddress, queryOf, readFilter } from './filter';

const now = Date.parse('2026-11-15T12:00:00.000Z');
const read = (query: string) => readFilter(new URLSearchParams(query));

test('an address without a filter wants everything', () => {
  expect(read('')).toEqual({});
  expect(queryOf({}, now)).toEqual({});
});

test('a filter in the address is what the server is asked', () => {
  const filter = read('agent=bot&action=send_message&outcome=failed&span=24h');
  expect(queryOf(filter, now)).toEqual({
    agent: 'bot',
    action: 'send_message',
    error: true,
    after: '2026-11-14T12:00:00.000Z',
  });
  expect(queryOf(read('outcome=fine'), now)).toEqual({ error: false });
});

test('a range covers both of its days, by the clock here', () => {
  const { after, before } = queryOf(read('span=range&from=2026-11-01&to=2026-11-02'), now);
  expect(after).toBe(new Date(2026, 10, 1).toISOString());
  expect(before).toBe(new Date(2026, 10, 3).toISOString());
});

test('what makes no sense is left out', () => {
  expect(read('outcome=maybe&span=century&from=yesterday')).toEqual({});
  expect(read('span=24h&from=2026-11-01')).toEqual({ span: '24h' });
  expect(queryOf({ span: 'range' }, now)).toEqual({});
});

test('the export has the same filter', () => {
  expect(exportAddress(read('agent=a%26b&outcome=fine'), 'csv', now)).toBe(
    '/api/traces/export?format=csv&agent=a%26b&error=false',
  );
});
