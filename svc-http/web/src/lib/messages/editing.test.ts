import { expect, test } from 'vitest';
import { Editing, isEditable, lastEditable } from './editing.svelte';
import { message } from './sample';

test('one message is edited at a time, in the timeline or in its thread', () => {
  const editing = new Editing();
  editing.begin(3);
  expect(editing.isOf(3, false)).toBe(true);
  expect([editing.isOf(3, true), editing.isOf(4, false)]).toEqual([false, false]);
  editing.begin(4, true);
  expect([editing.isOf(3, false), editing.isOf(4, true)]).toEqual([false, true]);
  editing.end();
  expect(editing.isOf(4, true)).toBe(false);
});

test('mine can be edited, unless they are deleted or written by the hub', () => {
  expect(isEditable(message(1), 'ada')).toBe(true);
  expect(isEditable(message(1), 'bob')).toBe(false);
  expect(isEditable(message(1, { deleted_at: '2026-03-01T12:00:00Z' }), 'ada')).toBe(false);
  const copy = { metadata: { mention: { channel: 'ops', message_id: 7 } } };
  expect(isEditable(message(1, copy), 'ada')).toBe(false);
  expect(isEditable(message(1, { metadata: { 'svc.quotes': [] } }), 'ada')).toBe(false);
});

test('the last of mine is found behind those of others', () => {
  const all = [message(1), message(2), message(3, { from: 'bob' }), message(4, { deleted_at: 'now' })];
  expect(lastEditable(all, 'ada')?.id).toBe(2);
  expect(lastEditable(all, 'eve')).toBeUndefined();
});
