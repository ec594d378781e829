import { expect, test } from 'vitest';
import { isMadeFor, keyBytes } from './key';

test('a key is read from base64url without padding', () => {
  expect([...keyBytes('-_8')]).toEqual([251, 255]);
  expect(keyBytes('B'.padEnd(87, 'A'))).toHaveLength(65);
});

test('a subscription belongs to the key that it was made for', () => {
  const key = keyBytes('BAEC');
  expect(isMadeFor(key, keyBytes('BAEC').buffer)).toBe(true);
  expect(isMadeFor(key, keyBytes('BAED').buffer)).toBe(false);
  expect(isMadeFor(key, keyBytes('BAECAw').buffer)).toBe(false);
  expect(isMadeFor(key, null)).toBe(true);
});
