import { expect, test } from 'vitest';
import { createApi } from '../api/client';
import { PeopleList } from './people-list.svelte';
import type { Profile } from './profiles.svelte';

const profile = (handle: string) => ({ handle, display_name: handle, kind: 'agent' }) as Profile;

function list(pages: Record<string, object>) {
  const asked: string[] = [];
  const send = (async (request: Request) => {
    const { search } = new URL(request.url);
    asked.push(search);
    return Response.json(pages[search] ?? { profiles: [] });
  }) as typeof fetch;
  return { asked, people: new PeopleList(createApi({ fetch: send, origin: 'http://hub.test' })) };
}

test('pages follow each other until there are no more', async () => {
  const { people } = list({
    '?kind=agent&limit=50&query=s': { profiles: [profile('sam')], next_cursor: 'sam' },
    '?kind=agent&limit=50&query=s&cursor=sam': { profiles: [profile('scout')] },
  });
  await people.search('agent', ' s ');
  expect([people.all?.length, people.hasMore]).toEqual([1, true]);
  await people.more();
  expect(people.all?.map(({ handle }) => handle)).toEqual(['sam', 'scout']);
  expect(people.hasMore).toBe(false);
  await people.more();
  expect(people.all).toHaveLength(2);
});

test('only the answer to the newest question counts', async () => {
  const { people } = list({ '?kind=agent&limit=50&query=b': { profiles: [profile('bob')] } });
  await Promise.all([people.search('agent', 'a'), people.search('agent', 'b')]);
  expect(people.all?.map(({ handle }) => handle)).toEqual(['bob']);
  expect(people.busy).toBe(false);
});

test('somebody on screen is replaced by their newest state', async () => {
  const { people } = list({ '?kind=agent&limit=50': { profiles: [profile('bob')] } });
  await people.search('agent', '');
  people.put({ ...profile('bob'), display_name: 'Bob Marsh' });
  people.put(profile('nobody'));
  expect(people.all?.map(({ display_name }) => display_name)).toEqual(['Bob Marsh']);
});
