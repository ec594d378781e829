import { expect, test } from 'vitest';
import { dayName, layOut } from './rows';
import { message } from './sample';

const at = (time: string) => ({ created_at: `2026-03-${time}.000Z` });
const lay = (messages: ReturnType<typeof message>[], readUpTo?: number) =>
  layOut(messages, { readUpTo, me: 'ada' });

test('each day is named once, at its first message', () => {
  const rows = lay([
    message(1, at('01T10:00:00')),
    message(2, at('01T23:59:59')),
    message(3, at('02T00:00:00')),
  ]);
  expect(rows.map(({ day }) => day)).toEqual(['Sunday 1 March 2026', undefined, 'Monday 2 March 2026']);
});

test('who goes on within five minutes is not named again', () => {
  const rows = lay([
    message(1, at('01T10:00:00')),
    message(2, at('01T10:04:00')),
    message(3, at('01T10:10:00')),
    message(4, { ...at('01T10:11:00'), from: 'eve' }),
  ]);
  expect(rows.map(({ goesOn }) => goesOn)).toEqual([false, true, false, false]);
});

test('an answer to something else is named again', () => {
  const rows = lay([message(1), message(2, { reply_to: 1 }), message(3, { reply_to: 1 })]);
  expect(rows.map(({ goesOn }) => goesOn)).toEqual([false, false, true]);
});

test('what is new begins at the first message of somebody else after the cursor', () => {
  const rows = lay(
    [message(1, { from: 'eve' }), message(2), message(3, { from: 'eve' }), message(4, { from: 'eve' })],
    1,
  );
  expect(rows.map(({ isFirstNew }) => isFirstNew)).toEqual([false, false, true, false]);
  expect(rows[2]?.goesOn).toBe(false);
});

test('nothing is new when the cursor is not known', () => {
  expect(lay([message(1, { from: 'eve' })]).some(({ isFirstNew }) => isFirstNew)).toBe(false);
});

test('close days have words', () => {
  const now = new Date('2026-03-02T08:00:00Z');
  const rows = lay([message(1, at('01T10:00:00')), message(2, at('02T07:00:00'))]);
  expect(rows.map(({ day }) => dayName(day ?? '', now))).toEqual(['Yesterday', 'Today']);
});
