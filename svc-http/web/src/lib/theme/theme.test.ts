import { expect, test } from 'vitest';
import { Theme } from './theme.svelte';

function storageWith(entries: Record<string, string>) {
  const map = new Map(Object.entries(entries));
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

test('follows the system until something is chosen', () => {
  const root = { dataset: {} as DOMStringMap };
  expect(new Theme(root, () => storageWith({})).choice).toBe('system');
  expect(root.dataset).toEqual({});
});

test('a choice is shown and remembered', () => {
  const storage = storageWith({});
  const root = { dataset: {} as DOMStringMap };
  new Theme(root, () => storage).choose('dark');
  expect(root.dataset['theme']).toBe('dark');
  expect(new Theme({ dataset: {} }, () => storage).choice).toBe('dark');
});

test('choosing the system again forgets the choice', () => {
  const storage = storageWith({ 'svc.theme': 'light' });
  const root = { dataset: {} as DOMStringMap };
  new Theme(root, () => storage).choose('system');
  expect(root.dataset).toEqual({});
  expect(storage.getItem('svc.theme')).toBeNull();
});

test('an unknown stored value counts as none', () => {
  expect(new Theme({ dataset: {} }, () => storageWith({ 'svc.theme': 'sepia' })).choice).toBe('system');
});

test('the choice of another tab is taken over on reload', () => {
  const storage = storageWith({});
  const theme = new Theme({ dataset: {} }, () => storage);
  storage.setItem('svc.theme', 'dark');
  theme.reload();
  expect(theme.choice).toBe('dark');
});

test('works where storage is forbidden', () => {
  const theme = new Theme({ dataset: {} }, () => {
    throw new Error('denied');
  });
  theme.choose('light');
  expect(theme.choice).toBe('light');
});
