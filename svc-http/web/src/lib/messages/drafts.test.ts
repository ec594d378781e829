import { expect, test } from 'vitest';
import { Drafts, EMPTY_DRAFT, readDraft, together } from './drafts';

function storage() {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
    key: (index: number) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size;
    },
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

test('all that one person has written can be thrown away, and nothing else', () => {
  const store = storage();
  const [ada, other] = [new Drafts('ada', () => store), new Drafts('ada.b', () => store)];
  ada.write('channel/general', draft);
  ada.write('dm/bot/7', draft);
  other.write('channel/general', draft);
  store.setItem('svc.theme', 'dark');
  expect(ada.count()).toBe(2);
  ada.clear();
  expect([ada.count(), other.count(), store.entries.size]).toEqual([0, 1, 2]);
});

test('an unsent message that is edited takes nothing from what has been written since', () => {
  const file = (hash: string) => ({
    hash,
    filename: hash,
    size: 1,
    mime_type: 'text/plain',
    is_image: false,
  });
  const unsent = { body: 'one', subject: 'Build', priority: 5, files: [file('a')] };
  const since = { body: 'two', subject: 'Release', priority: 9, files: [file('b')] };
  expect(together(unsent, since)).toEqual({
    body: 'one\n\ntwo',
    subject: 'Build / Release',
    priority: 9,
    files: [file('a'), file('b')],
  });
  expect(together(unsent, EMPTY_DRAFT)).toEqual(unsent);
  expect(together({ ...unsent, priority: 8 }, { ...EMPTY_DRAFT, subject: 'Build' })).toMatchObject({
    subject: 'Build',
    priority: 8,
  });
});
