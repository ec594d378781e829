/** The task tree as the rows that are in sight, and where the keys of the keyboard lead in it. */

import type { GoalTask, Spent, TaskRollup } from './types';

export interface TreeRow {
  readonly task: GoalTask;
  /** 1 for a root. */
  readonly level: number;
  /** The position among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
  readonly parent: number | undefined;
  /** Nothing for a task without tasks below it. */
  readonly expanded: boolean | undefined;
  /** For each level above, whether a line goes on to a later sibling there. The last one is its own level. */
  readonly guides: readonly boolean[];
}

/** The rows in sight: all tasks but those below a collapsed one. */
export function rowsOf(roots: readonly GoalTask[], collapsed: ReadonlySet<number>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const walk = (tasks: readonly GoalTask[], above: readonly boolean[], parent: number | undefined) => {
    tasks.forEach((task, index) => {
      const guides = [...above, index < tasks.length - 1];
      const expanded = task.children.length === 0 ? undefined : !collapsed.has(task.id);
      rows.push({
        task,
        level: guides.length,
        position: index + 1,
        siblings: tasks.length,
        parent,
        expanded,
        guides,
      });
      if (expanded) walk(task.children, guides, task.id);
    });
  };
  walk(roots, [], undefined);
  return rows;
}

/** All tasks, a parent before its children. */
export function allTasks(roots: readonly GoalTask[]): readonly GoalTask[] {
  return roots.flatMap((task) => [task, ...allTasks(task.children)]);
}

/** The tasks that have tasks below them. */
export function branches(roots: readonly GoalTask[]): readonly number[] {
  return allTasks(roots).flatMap(({ id, children }) => (children.length > 0 ? [id] : []));
}

export function findTask(roots: readonly GoalTask[], id: number): GoalTask | undefined {
  return allTasks(roots).find((task) => task.id === id);
}

/** The tasks above a task, from the root down. */
export function pathTo(roots: readonly GoalTask[], id: number): readonly GoalTask[] {
  for (const task of roots) {
    if (task.id === id) return [];
    if (findTask(task.children, id)) return [task, ...pathTo(task.children, id)];
  }
  return [];
}

/** The tasks that a task depends on. Titles are compared without regard to case, as the server does. */
export function dependenciesOf(
  roots: readonly GoalTask[],
  { depends_on }: Pick<GoalTask, 'depends_on'>,
): readonly { readonly title: string; readonly task: GoalTask | undefined }[] {
  const key = (title: string) => title.trim().toLowerCase();
  // A cancelled task may have the title of one that stands.
  const standing = allTasks(roots).filter(({ status }) => status !== 'cancelled');
  return depends_on.map((title) => ({
    title,
    task:
      standing.find((task) => key(task.title) === key(title)) ??
      allTasks(roots).find((task) => key(task.title) === key(title)),
  }));
}

export type Move =
  | { readonly kind: 'focus'; readonly id: number }
  | { readonly kind: 'expand'; readonly id: number }
  | { readonly kind: 'collapse'; readonly id: number }
  | { readonly kind: 'open'; readonly id: number };

/** The effect of a key while a row has the focus; nothing for keys without a meaning in a tree. */
export function moveOf(rows: readonly TreeRow[], focused: number | undefined, key: string): Move | undefined {
  const at = rows.findIndex(({ task }) => task.id === focused);
  const row = rows[at];
  if (row === undefined) return undefined;
  const { id } = row.task;
  const focusOn = (target: TreeRow | undefined): Move | undefined =>
    target === undefined || target === row ? undefined : { kind: 'focus', id: target.task.id };
  switch (key) {
    case 'ArrowDown':
      return focusOn(rows[at + 1]);
    case 'ArrowUp':
      return focusOn(rows[at - 1]);
    case 'Home':
      return focusOn(rows[0]);
    case 'End':
      return focusOn(rows.at(-1));
    case 'ArrowRight':
      if (row.expanded === false) return { kind: 'expand', id };
      return row.expanded ? focusOn(rows[at + 1]) : undefined;
    case 'ArrowLeft':
      if (row.expanded) return { kind: 'collapse', id };
      return row.parent === undefined ? undefined : { kind: 'focus', id: row.parent };
    case 'Enter':
    case ' ':
      return { kind: 'open', id };
    default:
      return undefined;
  }
}

/** The keys that the tree keeps from scrolling the page. */
export const TREE_KEYS: ReadonlySet<string> = new Set([
  'ArrowDown',
  'ArrowUp',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'Enter',
  ' ',
]);

/** The cost of a task with the tasks below it. */
export function rolledUp(
  rollup: ReadonlyMap<number, TaskRollup>,
  task: Pick<GoalTask, 'id' | 'spent'>,
): Spent {
  return rollup.get(task.id) ?? task.spent;
}

/** Whether a task waits for others. One that has been begun or has ended waits for none. */
export function isBlocked({ status, blocked_by }: Pick<GoalTask, 'status' | 'blocked_by'>): boolean {
  return blocked_by.length > 0 && (status === 'proposed' || status === 'approved');
}
