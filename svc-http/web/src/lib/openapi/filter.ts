/** Narrowing the list of operations to those that somebody types a few words of. */

import type { Operation, OperationGroup } from './operations';

/** The groups with only those operations in which every word of `query` occurs. */
export function filterGroups(groups: readonly OperationGroup[], query: string): readonly OperationGroup[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return groups;
  return groups.flatMap((group) => {
    const operations = group.operations.filter((operation) => {
      const text = searchText(group, operation);
      return words.every((word) => text.includes(word));
    });
    return operations.length > 0 ? [{ ...group, operations }] : [];
  });
}

export function countOperations(groups: readonly OperationGroup[]): number {
  return groups.reduce((sum, group) => sum + group.operations.length, 0);
}

function searchText(group: OperationGroup, operation: Operation): string {
  return [operation.method, operation.path, operation.summary, operation.anchor, group.tag]
    .join('\n')
    .toLowerCase();
}
