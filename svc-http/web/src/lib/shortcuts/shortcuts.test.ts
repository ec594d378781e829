import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { beginsAt, keyNames, Shortcuts } from './shortcuts.svelte';

let shortcuts: Shortcuts;
beforeEach(() => {
  vi.useFakeTimers();
  shortcuts = new Shortcuts();
});
afterEach(() => vi.useRealTimers());

function press(key: string, more: object = {}) {
  const preventDefault = vi.fn();
  shortcuts.press({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    defaultPrevented: false,
    isComposing: false,
    target: null,
    preventDefault,
    ...more,
  });
  return preventDefault.mock.calls.length > 0;
}

test('a key runs its command and nothing else', () => {
  const run = vi.fn();
  shortcuts.add({ keys: '?', title: 'Help', run });
  expect(press('x')).toBe(false);
  expect(press('?')).toBe(true);
  expect(run).toHaveBeenCalledOnce();
});

test('a sequence needs both keys within its time', () => {
  const run = vi.fn();
  shortcuts.add({ keys: 'g c', title: 'Channels', run });
  press('c');
  press('g');
  vi.advanceTimersByTime(2_000);
  press('c');
  expect(run).not.toHaveBeenCalled();
  press('g');
  press('c');
  expect(run).toHaveBeenCalledOnce();
});

test('Ctrl and Cmd are the same', () => {
  const run = vi.fn();
  shortcuts.add({ keys: 'mod+k', title: 'Palette', run });
  press('k');
  press('k', { ctrlKey: true });
  press('K', { metaKey: true });
  expect(run).toHaveBeenCalledTimes(2);
});

test('the newest meaning of a key counts until it is taken away', () => {
  const [first, second] = [vi.fn(), vi.fn()];
  shortcuts.add({ keys: 'j', title: 'Next', run: first });
  const remove = shortcuts.add({ keys: 'j', title: 'Next message', run: second });
  press('j');
  remove();
  press('j');
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
});

test('text that is being composed is left alone', () => {
  const run = vi.fn();
  shortcuts.add({ keys: 'j', title: 'Next', run });
  press('j', { isComposing: true });
  press('j', { altKey: true });
  press('j', { defaultPrevented: true });
  expect(run).not.toHaveBeenCalled();
});

test('keys are named for people', () => {
  expect(keyNames('mod+k', false)).toEqual(['Ctrl K']);
  expect(keyNames('mod+k', true)).toEqual(['⌘ K']);
  expect(keyNames('g c', false)).toEqual(['G', 'C']);
});

describe('walking among items begins', () => {
  /** Items of 100 pixels each in a view of 250, scrolled by so many. */
  const lies = (count: number, scrolled: number) =>
    Array.from({ length: count }, (_, index) => ({
      top: 50 + index * 100 - scrolled,
      bottom: 150 + index * 100 - scrolled,
      viewTop: 50,
      viewBottom: 300,
    }));

  test('at the first in view, or backwards at the last', () => {
    expect([beginsAt(1, lies(40, 0)), beginsAt(-1, lies(40, 0))]).toEqual([0, 1]);
    expect([beginsAt(1, lies(40, 3_750)), beginsAt(-1, lies(40, 3_750))]).toEqual([38, 39]);
  });

  test('at one of which a part is in view, when none is whole', () => {
    const tall = [{ top: -400, bottom: 900, viewTop: 50, viewBottom: 300 }];
    expect([beginsAt(1, [...lies(1, 900), ...tall]), beginsAt(-1, [...tall, ...lies(1, -900)])]).toEqual([
      1, 0,
    ]);
  });

  test('at an end when nothing is in view', () => {
    expect([beginsAt(1, lies(3, 9_000)), beginsAt(-1, lies(3, 9_000)), beginsAt(1, [])]).toEqual([0, 2, 0]);
  });
});
