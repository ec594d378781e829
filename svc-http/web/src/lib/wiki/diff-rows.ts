/** The lines of a difference side by side: what was removed beside what came in its place. */

import type { DiffLine } from './types';

export interface DiffRow {
  readonly left: DiffLine | undefined;
  readonly right: DiffLine | undefined;
}

export function sideBySide(lines: readonly DiffLine[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      rows.push({ left: removed[index], right: added[index] });
    }
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'equal') {
      flush();
      rows.push({ left: line, right: line });
    } else if (line.kind === 'removed') {
      // Lines that are removed after others were added belong to the next change.
      if (added.length > 0) flush();
      removed.push(line);
    } else {
      added.push(line);
    }
  }
  flush();
  return rows;
}

/** One line under the other, for narrow screens: all that was removed, then what was added. */
export function oneColumn(lines: readonly DiffLine[]): readonly DiffLine[] {
  return sideBySide(lines)
    .reduce<{ out: DiffLine[]; later: DiffLine[] }[]>((groups, { left, right }) => {
      const last = groups.at(-1) ?? { out: [], later: [] };
      if (groups.length === 0) groups.push(last);
      if (left && left === right) groups.push({ out: [left], later: [] }, { out: [], later: [] });
      else {
        if (left) last.out.push(left);
        if (right) last.later.push(right);
      }
      return groups;
    }, [])
    .flatMap(({ out, later }) => [...out, ...later]);
}

/** The numbers of lines that a group of changes covers, such as `Lines 3–9`. */
export function linesInWords(lines: readonly DiffLine[]): string {
  const numbers = lines.flatMap(({ new_line, old_line }) => new_line ?? old_line ?? []);
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  if (numbers.length === 0) return 'Changes';
  return first === last ? `Line ${first}` : `Lines ${first}–${last}`;
}
