import { beforeEach, expect, test } from 'vitest';
import { message } from '../messages/sample';
import type { Place } from '../messages/source';
import type { Database } from './database';
import { Kept, MOST_BYTES, MOST_MESSAGES, MOST_PLACES } from './kept';

class StandInDatabase implements Database {
  readonly values = new Map<string, unknown>();
  fails = false;

  #check() {
    if (this.fails) throw new Error('full');
  }
  async get(key: string) {
    this.#check();
    return structuredClone(this.values.get(key));
  }
  async put(key: string, value: unknown) {
    this.#check();
    this.values.set(key, structuredClone(value));
  }
  async delete(key: string) {
    this.values.delete(key);
  }
  async clear() {
    this.values.clear();
  }
}

const ada = { username: 'ada', displayName: 'Ada' };
const eve = { username: 'eve', displayName: 'Eve' };
const general: Place = { kind: 'channel', name: 'general' };
const lists = { me: undefined, channels: [], partners: [], agents: [] };
const page = (count: number, body = 'x') => ({
  messages: Array.from({ length: count }, (_, index) => message(index + 1, { body })),
  hasMoreBefore: false,
});

let database: StandInDatabase;
let kept: Kept;
let now: number;

beforeEach(async () => {
  now = 1_000;
  database = new StandInDatabase();
  kept = new Kept(database, () => now);
  await kept.own(ada);
});

/** As the page does when it is opened anew. */
const opened = () => new Kept(database, () => now);

test('what was there is there after a reload, with its time', async () => {
  await kept.keepLists(lists);
  await kept.keepPage(general, page(3));
  now = 2_000;
  expect(await opened().owner()).toEqual(ada);
  expect(await opened().lists()).toEqual({ ...lists, keptAt: 1_000 });
  expect(await opened().page(general)).toMatchObject({ hasMoreBefore: false, keptAt: 1_000 });
  expect((await opened().page(general))?.messages.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(await opened().page({ kind: 'dm', name: 'general' })).toBeUndefined();
});

test('nothing is kept before the server has said who is there', async () => {
  const early = opened();
  await early.keepPage(general, page(1));
  expect(await early.page(general)).toBeUndefined();
});

test('nothing is left after the logout, nor written by what was on its way', async () => {
  await kept.keepPage(general, page(3));
  const late = kept.keepLists(lists);
  await kept.wipe();
  await late;
  await kept.keepPage(general, page(3));
  expect(database.values.size).toBe(0);
});

test('another person finds nothing of the first; the same one finds everything', async () => {
  await kept.keepPage(general, page(3));
  await opened().own(ada);
  expect(await opened().page(general)).toBeDefined();
  await opened().own(eve);
  expect(await opened().page(general)).toBeUndefined();
  expect(await opened().owner()).toEqual(eve);
});

test('of a long page the newest messages are kept, and that there are more', async () => {
  await kept.keepPage(general, page(MOST_MESSAGES + 10));
  const found = await kept.page(general);
  expect(found?.messages).toHaveLength(MOST_MESSAGES);
  expect(found?.messages.at(-1)?.id).toBe(MOST_MESSAGES + 10);
  expect(found?.hasMoreBefore).toBe(true);
});

test('large messages take the room of others', async () => {
  await kept.keepPage(general, page(10, 'x'.repeat(64 * 1024)));
  expect((await kept.page(general))?.messages.map(({ id }) => id)).toEqual([8, 9, 10]);
});

test('the conversations opened longest ago make room', async () => {
  for (let index = 0; index < MOST_PLACES + 3; index += 1) {
    await kept.keepPage({ kind: 'dm', name: `p${index}` }, page(1));
    await kept.keepPage(general, page(1));
  }
  expect(await kept.page({ kind: 'dm', name: 'p3' })).toBeUndefined();
  expect(await kept.page({ kind: 'dm', name: 'p4' })).toBeDefined();
  expect(await kept.page(general)).toBeDefined();
  expect([...database.values.keys()].filter((key) => key.startsWith('page '))).toHaveLength(MOST_PLACES);
});

test('all together stay within their bytes', async () => {
  for (let index = 0; index < MOST_PLACES; index += 1) {
    await kept.keepPage({ kind: 'dm', name: `p${index}` }, page(3, 'x'.repeat(80 * 1024)));
  }
  expect(JSON.stringify([...database.values.values()]).length).toBeLessThan(MOST_BYTES + 10_000);
  expect(await kept.page({ kind: 'dm', name: `p${MOST_PLACES - 1}` })).toBeDefined();
});

test('without room nothing is kept, and nothing fails', async () => {
  database.fails = true;
  await kept.keepPage(general, page(1));
  expect(await kept.page(general)).toBeUndefined();
  database.fails = false;
  await kept.keepPage(general, page(1));
  expect(await kept.page(general)).toBeDefined();
});
