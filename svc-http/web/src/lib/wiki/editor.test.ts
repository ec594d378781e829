import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi, type Api } from '../api/client';
import { Problem } from '../api/problem';
import { Drafts, EMPTY_DRAFT } from '../messages/drafts';
import { ArticleDrafts, readArticleDraft } from './drafts';
import { ArticleEditor } from './editor.svelte';
import { sampleArticle, sampleConflict } from './sample';

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

let api: Api;
let asked: string[];
let bodies: unknown[];
let answers: Response[];
let store: ReturnType<typeof storage>;
let drafts: ArticleDrafts;

beforeEach(() => {
  vi.useFakeTimers();
  [asked, bodies, answers, store] = [[], [], [], storage()];
  drafts = new ArticleDrafts('ada', () => store);
  const send = (async (request: Request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    bodies.push(JSON.parse(await request.text()));
    return answers.shift() ?? Response.json(sampleArticle({ revision: 4 }));
  }) as typeof fetch;
  api = createApi({ fetch: send, origin: 'http://hub.test' });
});
afterEach(() => vi.useRealTimers());

const edit = (article = sampleArticle()) => new ArticleEditor({ api, drafts, article, now: () => 7 });
const refusal = (conflict: object) => Response.json({ code: 'edit_conflict', conflict }, { status: 409 });

test('what is written is kept, and there again after a reload', () => {
  const editor = edit();
  expect(editor.isDirty).toBe(false);
  editor.body = 'Push it twice.';
  editor.summary = 'Be sure';
  editor.keep();
  expect(store.entries.size).toBe(0);
  vi.advanceTimersByTime(1_000);
  const again = edit();
  expect([again.body, again.summary, again.restoredAt, again.baseRevision]).toEqual([
    'Push it twice.',
    'Be sure',
    7,
    3,
  ]);
  again.discard(sampleArticle());
  expect([again.body, again.isDirty, store.entries.size]).toEqual(['Push the button.', false, 0]);
});

test('what is on its way to the storage is kept when the page goes', () => {
  const editor = edit();
  editor.title = 'Another title';
  editor.keep();
  editor.stop();
  expect(edit().title).toBe('Another title');
});

test('nothing is kept of a text that is as it was', () => {
  const editor = edit();
  editor.body = 'x';
  editor.keep({ now: true });
  editor.body = 'Push the button.';
  editor.keep({ now: true });
  expect(store.entries.size).toBe(0);
});

test('a draft of an older revision is saved on that revision', async () => {
  const editor = edit();
  editor.body = 'Mine';
  editor.keep({ now: true });
  const later = edit(sampleArticle({ revision: 9, body: 'Theirs', stale_after: '2026-05-01T00:00:00Z' }));
  expect([later.body, later.baseRevision, later.staleAfter]).toEqual(['Mine', 3, '2026-05-01']);
  await later.save();
  expect(bodies).toEqual([{ base_revision: 3, merge: false, body: 'Mine' }]);
});

test('only what has changed is sent, and the draft goes', async () => {
  const editor = edit();
  editor.staleAfter = '2026-04-01';
  editor.isProtected = true;
  editor.keep({ now: true });
  expect((await editor.save())?.revision).toBe(4);
  expect(asked).toEqual(['PUT /api/wiki/articles/deploy']);
  expect(bodies).toEqual([
    { base_revision: 3, merge: false, stale_after: '2026-04-01', protected: 'humans' },
  ]);
  expect(store.entries.size).toBe(0);
  editor.keep({ now: true });
  expect(store.entries.size).toBe(0);
});

test('a new article gets the slug of its title, or the one that was chosen', async () => {
  const editor = new ArticleEditor({ api, drafts });
  editor.title = 'Who is on call?';
  expect(editor.slug).toBe('who-is-on-call');
  await editor.save();
  const other = new ArticleEditor({ api, drafts, slug: 'on-call', title: 'On call' });
  expect([other.slug, other.isDirty]).toEqual(['on-call', false]);
  await other.save();
  expect(bodies).toEqual([
    { title: 'Who is on call?', body: '' },
    { title: 'On call', body: '', slug: 'on-call' },
  ]);
});

test('a clean merge is saved on the revision that the change was based on', async () => {
  answers = [refusal(sampleConflict({ merge_is_clean: true, merged: 'both' }))];
  const editor = edit();
  editor.body = 'Mine';
  expect(await editor.save()).toBeUndefined();
  expect([editor.conflict?.merged, editor.body, drafts.read('deploy')?.body]).toEqual([
    'both',
    'Mine',
    'Mine',
  ]);
  expect((await editor.saveMerge())?.revision).toBe(4);
  expect(bodies[1]).toEqual({ base_revision: 3, body: 'Mine', merge: true });
});

test('a text made by hand is saved on top of theirs, however often others are first', async () => {
  answers = [
    refusal(sampleConflict({ title: 'Deploying' })),
    refusal(sampleConflict({ revision: 5, body: 'Newest', title: 'Deploying' })),
  ];
  const editor = edit();
  editor.body = 'Mine';
  await editor.save();
  expect(editor.mergedTitle).toBe('Deploying');
  expect(await editor.saveOver('Deploying', 'Both')).toBeUndefined();
  expect([editor.conflict?.revision, editor.body, editor.baseRevision]).toEqual([5, 'Both', 4]);
  await editor.saveOver('Deploying', 'All three');
  expect(bodies.slice(1)).toEqual([
    { base_revision: 4, merge: false, title: 'Deploying', body: 'Both' },
    { base_revision: 5, merge: false, title: 'Deploying', body: 'All three' },
  ]);
});

test('another refusal is thrown, and nothing is lost', async () => {
  answers = [Response.json({ code: 'humans_only', detail: 'Only humans.' }, { status: 403 })];
  const editor = edit();
  editor.body = 'Mine';
  await expect(editor.save()).rejects.toBeInstanceOf(Problem);
  expect([editor.body, editor.busy, drafts.read('deploy')?.body]).toEqual(['Mine', false, 'Mine']);
});

test.each(['', 'no JSON', '[]', '{"body":7,"title":"x"}', '{"body":"x"}'])('%j is no draft', (text) => {
  expect(readArticleDraft(text)).toBeUndefined();
});

test('drafts of articles go with those of messages at the logout', () => {
  const editor = edit();
  editor.body = 'Mine';
  editor.keep({ now: true });
  const messages = new Drafts('ada', () => store);
  messages.write('dm/bot', { ...EMPTY_DRAFT, body: 'hello' });
  expect(messages.count()).toBe(2);
  messages.clear();
  expect(store.entries.size).toBe(0);
});

test('forbidden storage is no reason to fail', () => {
  const none = new ArticleDrafts('ada', () => {
    throw new Error('forbidden');
  });
  const editor = new ArticleEditor({ api, drafts: none, article: sampleArticle() });
  editor.body = 'x';
  editor.keep({ now: true });
  expect(editor.isDirty).toBe(true);
});
