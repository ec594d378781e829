import { expect, test } from 'vitest';
import { movedTo, NOT_ARRANGED, readArrangement, SECTIONS, SidebarState } from './sidebar-state.svelte';

function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test.each([
  ['more', 0, ['more', 'channels', 'direct']],
  ['channels', 1, ['direct', 'channels', 'more']],
  ['channels', 9, ['direct', 'more', 'channels']],
  ['direct', -1, ['direct', 'channels', 'more']],
  ['direct', 1, ['channels', 'direct', 'more']],
] as const)('%s at position %d', (name, to, expected) =>
  expect(movedTo(SECTIONS, name, to)).toEqual(expected),
);

test('the arrangement is kept by account', () => {
  const box = storage();
  const state = new SidebarState(
    () => 'ada',
    () => box,
  );
  state.toggle('direct');
  state.move('more', 0);
  state.showUnreadOnly(true);
  const [later, other] = ['ada', 'bob'].map((who) => {
    const one = new SidebarState(
      () => who,
      () => box,
    );
    one.load();
    return one;
  });
  expect([later?.order, later?.isClosed('direct'), later?.unreadOnly]).toEqual([
    ['more', 'channels', 'direct'],
    true,
    true,
  ]);
  expect([other?.order, other?.isClosed('direct'), other?.unreadOnly]).toEqual([SECTIONS, false, false]);
  state.toggle('direct');
  expect(state.isClosed('direct')).toBe(false);
});

test('what is stored may be of another version, or nothing of ours', () => {
  expect(readArrangement('{"order":["more","pins","more"],"closed":["x"],"unreadOnly":1}')).toEqual({
    order: ['more', 'channels', 'direct'],
    closed: [],
    unreadOnly: false,
  });
  for (const text of [null, '', '[]', 'null', '{"order":{}}'])
    expect(readArrangement(text)).toEqual(NOT_ARRANGED);
});
