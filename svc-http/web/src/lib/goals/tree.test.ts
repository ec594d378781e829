import { describe, expect, test } from 'vitest';
import { sampleTask as task } from './sample';
import {
  allTasks,
  branches,
  dependenciesOf,
  findTask,
  isBlocked,
  moveOf,
  pathTo,
  rolledUp,
  rowsOf,
} from './tree';
import { TreeState } from './tree-state.svelte';

/**
 * 1
 * ├ 2
 * └ 3
 *   └ 4
 * 5
 */
const roots = [task(1, { children: [task(2), task(3, { children: [task(4)] })] }), task(5)];
const ids = (collapsed: readonly number[]) => rowsOf(roots, new Set(collapsed)).map((row) => row.task.id);

describe('rows', () => {
  test('are all tasks, a parent before its children', () => {
    expect(ids([])).toEqual([1, 2, 3, 4, 5]);
    expect(allTasks(roots).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });

  test('leave out what is below a collapsed task', () => {
    expect(ids([3])).toEqual([1, 2, 3, 5]);
    expect(ids([1])).toEqual([1, 5]);
    // Collapsed tasks below stay collapsed.
    expect(ids([1, 3])).toEqual([1, 5]);
  });

  test('know their level, their place among siblings and whether they are unfolded', () => {
    const rows = rowsOf(roots, new Set([3]));
    expect(rows.map(({ level }) => level)).toEqual([1, 2, 2, 1]);
    expect(rows.map(({ position, siblings }) => `${position}/${siblings}`)).toEqual([
      '1/2',
      '1/2',
      '2/2',
      '2/2',
    ]);
    expect(rows.map(({ expanded }) => expanded)).toEqual([true, undefined, false, undefined]);
    expect(rows.map(({ parent }) => parent)).toEqual([undefined, 1, 1, undefined]);
  });

  test('draw a line in each column as long as siblings follow there', () => {
    const guides = new Map(rowsOf(roots, new Set()).map((row) => [row.task.id, row.guides]));
    expect(guides.get(2)).toEqual([true, true]);
    expect(guides.get(3)).toEqual([true, false]);
    expect(guides.get(4)).toEqual([true, false, false]);
    expect(guides.get(5)).toEqual([false]);
  });
});

test.each([
  [1, 'ArrowDown', { kind: 'focus', id: 2 }],
  [1, 'ArrowUp', undefined],
  [5, 'ArrowDown', undefined],
  [5, 'ArrowUp', { kind: 'focus', id: 3 }],
  [3, 'Home', { kind: 'focus', id: 1 }],
  [1, 'End', { kind: 'focus', id: 5 }],
  [1, 'ArrowRight', { kind: 'focus', id: 2 }],
  [3, 'ArrowRight', { kind: 'expand', id: 3 }],
  [2, 'ArrowRight', undefined],
  [1, 'ArrowLeft', { kind: 'collapse', id: 1 }],
  [2, 'ArrowLeft', { kind: 'focus', id: 1 }],
  [3, 'ArrowLeft', { kind: 'focus', id: 1 }],
  [5, 'ArrowLeft', undefined],
  [2, 'Enter', { kind: 'open', id: 2 }],
  [2, ' ', { kind: 'open', id: 2 }],
  [2, 'a', undefined],
  [undefined, 'ArrowDown', undefined],
])('on row %s, the key %s means %o', (focused, key, move) => {
  // 3 is collapsed: 1, 2, 3, 5 are in sight.
  expect(moveOf(rowsOf(roots, new Set([3])), focused, key)).toEqual(move);
});

test('tasks are found with those above them', () => {
  expect(findTask(roots, 4)?.title).toBe('Task 4');
  expect(findTask(roots, 9)).toBeUndefined();
  expect(pathTo(roots, 4).map(({ id }) => id)).toEqual([1, 3]);
  expect(pathTo(roots, 5)).toEqual([]);
  expect(branches(roots)).toEqual([1, 3]);
});

test('dependencies are found by their titles without regard to case; a cancelled namesake comes last', () => {
  const all = [task(1, { title: 'Build', status: 'cancelled' }), task(2, { title: 'build' }), task(3)];
  const found = dependenciesOf(all, { depends_on: ['BUILD ', 'Gone'] });
  expect(found.map(({ title, task: other }) => [title, other?.id])).toEqual([
    ['BUILD ', 2],
    ['Gone', undefined],
  ]);
});

test.each([
  ['proposed', [2], true],
  ['approved', [2], true],
  ['approved', [], false],
  ['in_progress', [2], false],
  ['done', [2], false],
] as const)('a task that is %s with %o before it is blocked: %s', (status, blocked_by, blocked) => {
  expect(isBlocked({ status, blocked_by: [...blocked_by] })).toBe(blocked);
});

test('the cost of a task is that with the tasks below it, as far as it is known', () => {
  const own = { id: 1, spent: { usd: 1, tokens: 10 } };
  const line = { task_id: 1, usd: 3, tokens: 30, tasks: 2, done: 1 };
  expect(rolledUp(new Map([[1, line]]), own)).toMatchObject({ usd: 3, tokens: 30 });
  expect(rolledUp(new Map(), own)).toEqual({ usd: 1, tokens: 10 });
});

describe('what is unfolded', () => {
  test('outlives a change of the tasks, and so does the place of the keyboard', () => {
    let tasks = roots;
    const tree = new TreeState(() => tasks);
    expect(tree.current).toBe(1);
    tree.press('End');
    expect(tree.current).toBe(5);
    tasks = [...roots, task(6)];
    tree.toggle(3);
    expect(tree.rows.map((row) => row.task.id)).toEqual([1, 2, 3, 5, 6]);
    expect(tree.current).toBe(5);
  });

  test('goes to the first row when the task of the keyboard is gone', () => {
    const tree = new TreeState(() => roots);
    tree.focused(99);
    expect(tree.current).toBe(1);
  });

  test('is everything or only the roots', () => {
    const tree = new TreeState(() => roots);
    expect(tree.isExpanded).toBe(true);
    tree.collapseAll();
    expect(tree.isCollapsed).toBe(true);
    expect(tree.rows.map((row) => row.task.id)).toEqual([1, 5]);
    tree.expandAll();
    expect(tree.rows).toHaveLength(5);
  });

  test('reveals a task that a link names', () => {
    const tree = new TreeState(() => roots);
    tree.collapseAll();
    tree.reveal(4);
    expect(tree.rows.map((row) => row.task.id)).toEqual([1, 2, 3, 4, 5]);
  });

  test('is folded and unfolded by the keyboard', () => {
    const tree = new TreeState(() => roots);
    expect(tree.press('ArrowLeft')).toEqual({ kind: 'collapse', id: 1 });
    expect(tree.rows).toHaveLength(2);
    expect(tree.press('ArrowRight')).toEqual({ kind: 'expand', id: 1 });
    expect(tree.rows).toHaveLength(5);
  });
});
