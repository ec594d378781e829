import { expect, test } from 'vitest';
import { loadAll } from './load-all';

test('what is added between two pages makes nothing come twice', async () => {
  let stored = Array.from({ length: 300 }, (_, index) => ({ id: index }));
  const all = await loadAll(async ({ limit, offset }) => {
    const page = { entries: stored.slice(offset, offset + limit), total: stored.length };
    stored = [{ id: 1_000 + offset }, ...stored];
    return page;
  });
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all).toHaveLength(300);
});

test('a list without an end is cut', async () => {
  const all = await loadAll(
    async ({ limit, offset }) => ({
      entries: Array.from({ length: limit }, (_, index) => ({ id: offset + index })),
      total: 1e9,
    }),
    400,
  );
  expect(all).toHaveLength(400);
});
