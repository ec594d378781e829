import { expect, test } from 'vitest';
import { Unreachable } from './problem';
import { Reloading } from './reloading.svelte';

/** Questions that the test answers. */
function asking() {
  const open: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let asked = 0;
  const reloading = new Reloading(() => {
    asked += 1;
    return new Promise<void>((resolve, reject) => open.push({ resolve, reject }));
  });
  return { reloading, open, asked: () => asked };
}
const settle = () => new Promise((resolve) => setTimeout(resolve));

test('however often it is called meanwhile, it asks once more', async () => {
  const { reloading, open, asked } = asking();
  void reloading.load();
  void reloading.load();
  void reloading.load();
  expect(asked()).toBe(1);
  open[0]?.resolve();
  await settle();
  expect(asked()).toBe(2);
  open[1]?.resolve();
  await settle();
  expect(asked()).toBe(2);
});

test('a failure is told until a try works', async () => {
  const { reloading, open } = asking();
  void reloading.load();
  open[0]?.reject(new Unreachable());
  await settle();
  expect(reloading.failure).toMatch(/is not responding/);
  void reloading.load();
  expect(reloading.failure).toBeDefined();
  open[1]?.resolve();
  await settle();
  expect(reloading.failure).toBeUndefined();
});
