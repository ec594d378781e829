import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keyNames, Shortcuts } from './shortcuts.svelte';

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
