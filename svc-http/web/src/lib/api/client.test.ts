import { expect, test, vi } from 'vitest';
import { answer, createApi, newIdempotencyKey } from './client';
import { Problem, reasonOf, Unreachable } from './problem';

const origin = 'http://hub.test';

function apiThatAnswers(respond: () => Response | Promise<Response>) {
  const refused = vi.fn();
  const requests: Request[] = [];
  const send = (async (request: Request) => {
    requests.push(request);
    return respond();
  }) as typeof fetch;
  return { api: createApi({ fetch: send, origin, refused }), refused, requests };
}

const problem = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } });

test('an answer is what the server sent', async () => {
  const { api, requests } = apiThatAnswers(() => Response.json({ channels: [], total: 0 }));
  const page = await answer(api.GET('/api/channels', { params: { query: { q: 'a b', limit: 5 } } }));
  expect(page.total).toBe(0);
  expect(requests[0]?.url).toBe('http://hub.test/api/channels?q=a%20b&limit=5');
});

test('an answer without content is no failure', async () => {
  const { api } = apiThatAnswers(() => new Response(null, { status: 204 }));
  await expect(api.POST('/auth/logout')).resolves.toMatchObject({ data: undefined });
});

test('a refusal carries its reason, its word and its fields', async () => {
  const { api, refused } = apiThatAnswers(() =>
    problem(400, {
      title: 'Bad Request',
      detail: 'name is taken',
      code: 'validation_failed',
      errors: [{ field: 'name', message: 'is taken' }, 'nonsense'],
    }),
  );
  const thrown = await api.POST('/api/channels', { body: { name: 'x' } }).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Problem);
  expect(thrown).toMatchObject({ status: 400, code: 'validation_failed', detail: 'name is taken' });
  expect((thrown as Problem).field('name')).toBe('is taken');
  expect((thrown as Problem).fields).toHaveLength(1);
  expect(refused).not.toHaveBeenCalled();
});

test('a refusal that is no problem document still says its status', async () => {
  const { api } = apiThatAnswers(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  const thrown = await api.GET('/auth/me').catch((error: unknown) => error);
  expect(reasonOf(thrown)).toBe('The server returned status 502.');
});

test('401 tells that nobody is logged in', async () => {
  const { api, refused } = apiThatAnswers(() => problem(401, { code: 'unauthorized' }));
  await expect(api.GET('/auth/me')).rejects.toBeInstanceOf(Problem);
  expect(refused).toHaveBeenCalledOnce();
});

test('too many requests say when to come back', async () => {
  const { api } = apiThatAnswers(() => problem(429, { detail: 'Too fast.' }, { 'retry-after': '7' }));
  const thrown = await api.GET('/auth/me').catch((error: unknown) => error);
  expect(reasonOf(thrown)).toBe('Too fast. Try again in 7 seconds.');
});

test.each([
  [
    413,
    { code: 'file_quota_exceeded', detail: 'x', used_bytes: 10_737_418_000, limit_bytes: 10_737_418_240 },
    {},
    'Not enough storage: you have used 10 GiB of 10 GiB. Choose a smaller file, or ask an administrator for more storage.',
  ],
  [
    413,
    { code: 'file_quota_exceeded', detail: 'x' },
    {},
    'Not enough storage. Choose a smaller file, or ask an administrator for more storage.',
  ],
  [
    429,
    { code: 'message_quota_exceeded', detail: 'x', used: 200_000, limit: 200_000 },
    { 'retry-after': '7201' },
    'You and your agents have reached the limit for messages: 200,000 of 200,000 in 24 hours. Try again in 3 hours.',
  ],
  [
    429,
    { code: 'rate_limited', detail: 'Too many requests; try again in 7 s.' },
    { 'retry-after': '7' },
    'Too many requests; try again in 7 s.',
  ],
])('%d %j says what to do', async (status, body, headers, words) => {
  const { api } = apiThatAnswers(() => problem(status, body, headers as Record<string, string>));
  const thrown = await api.GET('/auth/me').catch((error: unknown) => error);
  expect(reasonOf(thrown)).toBe(words);
});

test('a lost server is unreachable', async () => {
  const { api } = apiThatAnswers(() => Promise.reject(new TypeError('failed')));
  await expect(api.GET('/auth/me')).rejects.toBeInstanceOf(Unreachable);
});

test('a call that we gave up ourselves is not a lost server', async () => {
  const giveUp = new AbortController();
  const { api } = apiThatAnswers(() => {
    giveUp.abort();
    return Promise.reject(new DOMException('aborted', 'AbortError'));
  });
  await expect(api.GET('/auth/me', { signal: giveUp.signal })).rejects.toMatchObject({ name: 'AbortError' });
});

test('idempotency keys differ', () => {
  expect(newIdempotencyKey()).toMatch(/^[0-9a-f]{32}$/);
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey());
});
