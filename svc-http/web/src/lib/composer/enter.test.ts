import { expect, test } from 'vitest';
import { isSending } from './enter';

const press = (key: string, more: object = {}) => ({
  key,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  ...more,
});

test('with keys to press Enter sends, with Shift or Alt it begins a line', () => {
  expect(isSending(press('Enter'), false)).toBe(true);
  expect(isSending(press('Enter', { shiftKey: true }), false)).toBe(false);
  expect(isSending(press('Enter', { altKey: true }), false)).toBe(false);
  expect(isSending(press('a'), false)).toBe(false);
});

test('with a keyboard on the screen Enter begins a line', () => {
  expect(isSending(press('Enter'), true)).toBe(false);
});

test('Ctrl or Cmd and Enter send everywhere', () => {
  for (const isOnScreen of [true, false]) {
    expect(isSending(press('Enter', { ctrlKey: true }), isOnScreen)).toBe(true);
    expect(isSending(press('Enter', { metaKey: true }), isOnScreen)).toBe(true);
  }
});
