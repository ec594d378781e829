import { expect, test } from 'vitest';
import { isSamePlace, messageAddress } from './address';

test.each([
  [{ channel: 'a b' }, '/c/a%20b?m=5'],
  [{ to: 'ada' }, '/dm/bot?m=5'],
  [{ from: 'ada', to: 'eve' }, '/dm/eve?m=5'],
  [{ from: 'eve', to: 'bot' }, '/agents/bot/with/eve?m=5'],
  [{ from: 'bot', to: 'eve' }, '/agents/bot/with/eve?m=5'],
])('%j leads to %s', (fields, address) => {
  const message = { id: 5, from: 'bot', to: null, channel: null, ...fields };
  expect(messageAddress(message, 'ada', (handle) => handle === 'bot')).toBe(address);
});

test('a place is a channel, or two who write to each other about anything', () => {
  const inChannel = { id: 1, from: 'ada', to: null, channel: 'general' };
  const letter = { id: 2, from: 'ada', to: 'bot', channel: null };
  expect(isSamePlace(inChannel, { ...inChannel, from: 'eve' })).toBe(true);
  expect(isSamePlace(inChannel, { ...inChannel, channel: 'other' })).toBe(false);
  expect(isSamePlace(inChannel, letter)).toBe(false);
  expect(isSamePlace(letter, { ...letter, from: 'bot', to: 'ada' })).toBe(true);
  expect(isSamePlace(letter, { ...letter, to: 'eve' })).toBe(false);
});
