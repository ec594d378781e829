import { expect, test, vi } from 'vitest';
import { followNotifications } from './opening';

test('a page goes where a notification leads, and nowhere else', () => {
  const container = new EventTarget();
  const navigate = vi.fn();
  const stop = followNotifications(container as never, navigate);
  const tell = (data: unknown) => container.dispatchEvent(new MessageEvent('message', { data }));
  tell({ kind: 'open', url: '/dm/ann?m=12' });
  tell({ kind: 'open', url: 'https://elsewhere.test/' });
  tell({ kind: 'open', url: '//elsewhere.test/' });
  tell({ kind: 'other', url: '/c/general' });
  tell('activate');
  expect(navigate.mock.calls).toEqual([['/dm/ann?m=12']]);
  stop();
  tell({ kind: 'open', url: '/c/general' });
  expect(navigate).toHaveBeenCalledTimes(1);
});

test('without service workers nothing is heard', () => {
  expect(followNotifications(undefined, vi.fn())()).toBeUndefined();
});
