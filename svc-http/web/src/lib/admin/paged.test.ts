import { expect, test } from 'vitest';
import { PagedList, type PageQuery } from './paged.svelte';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('the beginning is loaded, then what follows', async () => {
  const asked: PageQuery[] = [];
  const list = new PagedList<number>(async (query) => {
    asked.push(query);
    return { entries: numbers(70).slice(query.offset, query.offset + query.limit), total: 70 };
  });
  await list.load();
  expect([list.all?.length, list.total, list.hasMore]).toEqual([50, 70, true]);
  await list.more();
  expect(list.all).toEqual(numbers(70));
  expect(list.hasMore).toBe(false);
  await list.more();
  await list.load();
  expect(asked).toEqual([
    { limit: 50, offset: 0 },
    { limit: 50, offset: 50 },
    { limit: 70, offset: 0 },
  ]);
});

test('what was shown stays when the next answer fails', async () => {
  let isLost = false;
  const list = new PagedList<number>(async () => {
    if (isLost) throw new Error('lost');
    return { entries: [1], total: 1 };
  });
  await list.load();
  isLost = true;
  await list.load();
  expect(list.all).toEqual([1]);
  expect(list.failure).toBeDefined();
  expect(list.busy).toBe(false);
});

test('an answer to an earlier question is given up', async () => {
  const answers: ((page: { entries: number[]; total: number }) => void)[] = [];
  const list = new PagedList<number>(() => new Promise((resolve) => answers.push(resolve)));
  const [first, second] = [list.load(), list.load()];
  answers[1]?.({ entries: [2], total: 1 });
  answers[0]?.({ entries: [1], total: 1 });
  await Promise.all([first, second]);
  expect(list.all).toEqual([2]);
});
