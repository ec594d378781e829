import { expect, test } from 'vitest';
import { Drafts, EMPTY_DRAFT, readDraft } from './drafts';

function storage() {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
}

const draft = { ...EMPTY_DRAFT, body: 'half a thou', subject: 'Build', priority: 8 };

test('a draft is there again, for the same person and place only', () => {
  const store = storage();
  new Drafts('ada', () => store).write('c/general', draft);
  expect(new Drafts('ada', () => store).read('c/general')).toEqual(draft);
  expect(new Drafts('ada', () => store).read('c/ops')).toEqual(EMPTY_DRAFT);
  expect(new Drafts('eve', () => store).read('c/general')).toEqual(EMPTY_DRAFT);
});

test('an empty draft leaves nothing behind', () => {
  const store = storage();
  const drafts = new Drafts('ada', () => store);
  drafts.write('c/general', draft);
  drafts.write('c/general', EMPTY_DRAFT);
  expect(store.entries.size).toBe(0);
});

test('forbidden storage is no reason to fail', () => {
  const drafts = new Drafts('ada', () => {
    throw new Error('forbidden');
  });
  drafts.write('c/general', draft);
  expect(drafts.read('c/general')).toEqual(EMPTY_DRAFT);
});

test.each(['', 'no JSON', '[]', '{"body":7,"priority":99,"files":[{"hash":1}]}'])(
  '%j is an empty draft',
  (text) => {
    expect(readDraft(text)).toEqual(EMPTY_DRAFT);
  },
);
