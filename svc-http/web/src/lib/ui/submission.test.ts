import { expect, test } from 'vitest';
import { Problem, Unreachable } from '../api/problem';
import { Submission } from './submission.svelte';

const refusal = new Problem({
  status: 400,
  code: 'validation_failed',
  detail: 'The request is not valid.',
  fields: [{ field: 'name', message: 'is taken' }],
});

test('what is wrong with a field is said there and only there', async () => {
  const form = new Submission(['name']);
  expect(await form.run(() => Promise.reject(refusal))).toBeUndefined();
  expect(form.field('name')).toBe('Is taken.');
  expect(form.failure).toBeUndefined();
});

test('what is wrong with a field that is not on screen is said for the form', async () => {
  const form = new Submission(['title']);
  await form.run(() => Promise.reject(refusal));
  expect(form.failure).toContain('name is taken');
});

test('a lost server is told, and forgotten with the next try', async () => {
  const form = new Submission([]);
  await form.run(() => Promise.reject(new Unreachable()));
  expect(form.failure).toMatch(/is not responding/);
  expect(await form.run(() => Promise.resolve(7))).toEqual({ outcome: 7 });
  expect(form.failure).toBeUndefined();
});

test('a second press while the first is on its way does nothing', async () => {
  const form = new Submission([]);
  let finish: (value: number) => void = () => undefined;
  const first = form.run(() => new Promise<number>((resolve) => (finish = resolve)));
  expect(form.busy).toBe(true);
  expect(await form.run(() => Promise.resolve(2))).toBeUndefined();
  finish(1);
  expect(await first).toEqual({ outcome: 1 });
  expect(form.busy).toBe(false);
});

test('a refusal that names no field is said at the field it belongs to', async () => {
  const form = new Submission(['name'], { handle_taken: 'name' });
  const taken = new Problem({ status: 409, code: 'handle_taken', detail: 'this name is taken' });
  await form.run(() => Promise.reject(taken));
  expect(form.field('name')).toBe('This name is taken.');
  expect(form.failure).toBeUndefined();
});

test('parts of a field that ends in a dot are on screen', async () => {
  const form = new Submission(['env.']);
  const fields = [{ field: 'env.SVC_URL', message: 'must not begin with SVC_' }];
  await form.run(() => Promise.reject(new Problem({ status: 400, detail: 'Not valid.', fields })));
  expect(form.field('env.SVC_URL')).toBe('Must not begin with SVC_.');
  expect(form.failure).toBeUndefined();
  await form.run(() => Promise.reject(refusal));
  expect(form.failure).toContain('name is taken');
});
