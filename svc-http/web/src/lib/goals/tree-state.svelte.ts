/** The expanded rows of the task tree, and the row with the keyboard focus. They outlive changes of the tasks. */

import { branches, moveOf, pathTo, rowsOf, type Move, type TreeRow } from './tree';
import type { GoalTask } from './types';

export class TreeState {
  readonly #roots: () => readonly GoalTask[];
  collapsed: ReadonlySet<number> = $state.raw(new Set());
  #focused: number | undefined = $state();

  readonly rows: readonly TreeRow[] = $derived.by(() => rowsOf(this.#roots(), this.collapsed));
  readonly branches: readonly number[] = $derived.by(() => branches(this.#roots()));

  /** The one row that the Tab key reaches: the last that had the focus, or the first. */
  readonly current: number | undefined = $derived.by(() => {
    const isThere = this.rows.some(({ task }) => task.id === this.#focused);
    return isThere ? this.#focused : this.rows[0]?.task.id;
  });

  constructor(roots: () => readonly GoalTask[]) {
    this.#roots = roots;
  }

  get isCollapsed(): boolean {
    return this.branches.length > 0 && this.branches.every((id) => this.collapsed.has(id));
  }

  get isExpanded(): boolean {
    return this.branches.every((id) => !this.collapsed.has(id));
  }

  focused(id: number): void {
    this.#focused = id;
  }

  toggle(id: number): void {
    const without = [...this.collapsed].filter((one) => one !== id);
    this.collapsed = new Set(this.collapsed.has(id) ? without : [...without, id]);
  }

  collapseAll(): void {
    this.collapsed = new Set(this.branches);
  }

  expandAll(): void {
    this.collapsed = new Set();
  }

  /** Unfolds everything above a task, so that it is in sight. */
  reveal(id: number): void {
    const above = new Set(pathTo(this.#roots(), id).map((task) => task.id));
    if ([...above].every((one) => !this.collapsed.has(one))) return;
    this.collapsed = new Set([...this.collapsed].filter((one) => !above.has(one)));
  }

  /** Does what a key means for folding, and returns what it means. */
  press(key: string): Move | undefined {
    const move = moveOf(this.rows, this.current, key);
    if (move?.kind === 'expand' || move?.kind === 'collapse') this.toggle(move.id);
    if (move?.kind === 'focus') this.#focused = move.id;
    return move;
  }
}
