import { expect, test } from 'vitest';
import { createApi } from '../api/client';
import { Finder, totalText } from './finder.svelte';
import { NO_SEARCH } from './query';

function finderThat(respond: (query: URLSearchParams) => Response) {
  const asked: URLSearchParams[] = [];
  const send = (async (request: Request) => {
    const { searchParams } = new URL(request.url);
    asked.push(searchParams);
    return respond(searchParams);
  }) as typeof fetch;
  return { asked, finder: new Finder(createApi({ fetch: send, origin: 'http://hub.test' })) };
}

test('only what was asked for is sent, with the page as an offset', async () => {
  const { asked, finder } = finderThat(() => Response.json({ messages: [], total: 70 }));
  await finder.show({ ...NO_SEARCH, q: 'a', channel: ['x', '-y'], page: 3 });
  expect(Object.fromEntries(asked[0] ?? [])).toEqual({ q: 'a', channel: 'x,-y', limit: '25', offset: '50' });
  expect(finder.pages).toBe(3);
});

test('an empty search asks nothing and shows nothing', async () => {
  const { asked, finder } = finderThat(() => Response.json({ messages: [], total: 0 }));
  await finder.show(NO_SEARCH);
  expect(asked).toHaveLength(0);
  expect(finder.found.value).toBeUndefined();
});

test.each([
  [{ total: 7, total_is_exact: true }, '7 messages'],
  // As a server of before that field answers.
  [{ total: 7 }, '7 messages'],
  [{ total: 1 }, '1 message'],
  [{ total: 0, total_is_exact: true }, '0 messages'],
  [{ total: 10_000, total_is_exact: true }, '10,000 messages'],
  [{ total: 10_000, total_is_exact: false }, '10,000+ messages'],
])('%j is told as %s', async (page, words) => {
  const { finder } = finderThat(() => Response.json({ messages: [], ...page }));
  await finder.show({ ...NO_SEARCH, q: 'a' });
  expect(finder.found.value && totalText(finder.found.value)).toBe(words);
});

test.each([
  [{}, false],
  [{ partial: false }, false],
  [{ partial: true }, true],
])('a search that was stopped is told from one that has looked everywhere: %j', async (page, isPartial) => {
  const { finder } = finderThat(() => Response.json({ messages: [], total: 3, ...page }));
  await finder.show({ ...NO_SEARCH, q: 'a' });
  expect(finder.found.value).toMatchObject({ isPartial, total: 3 });
});

test('a refusal is told at the part that it is about', async () => {
  const { finder } = finderThat(() =>
    Response.json(
      { status: 400, detail: 'after is wrong', errors: [{ field: 'after', message: 'is no date' }] },
      { status: 400 },
    ),
  );
  await finder.show({ ...NO_SEARCH, after: 'soon' });
  expect(finder.problems).toEqual({ after: 'is no date' });
});

test('a refusal without a part is told at the box; a broken server is not', async () => {
  const refused = finderThat(() => Response.json({ detail: 'Too long.' }, { status: 400 }));
  await refused.finder.show({ ...NO_SEARCH, q: 'a' });
  expect(refused.finder.problems).toEqual({ q: 'Too long.' });
  const broken = finderThat(() => new Response(null, { status: 500 }));
  await broken.finder.show({ ...NO_SEARCH, q: 'a' });
  expect(broken.finder.problems).toEqual({});
  expect(broken.finder.found.failure).toMatch(/500/);
});
