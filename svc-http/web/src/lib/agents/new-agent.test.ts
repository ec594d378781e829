import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import { NewAgent } from './new-agent.svelte';

let requests: { body: unknown; key: string | null }[];
let respond: () => Response;
let form: NewAgent;

beforeEach(() => {
  requests = [];
  respond = () => Response.json({ agent: { name: 'bot' }, key: 'svca_1' }, { status: 201 });
  const send = (async (request: Request) => {
    requests.push({ body: await request.json(), key: request.headers.get('idempotency-key') });
    return respond();
  }) as typeof fetch;
  form = new NewAgent(createApi({ fetch: send, origin: 'http://hub.test' }));
});

test('the name follows the display name until one is typed', () => {
  form.displayName = 'Code Reviewer';
  expect(form.name).toBe('code-reviewer');
  form.name = 'cr';
  form.displayName = 'Somebody else';
  expect(form.name).toBe('cr');
  form.name = '';
  expect(form.name).toBe('somebody-else');
});

test('a display name that was left out is left to the server', async () => {
  form.name = 'bot';
  expect((await form.create())?.key).toBe('svca_1');
  expect(requests[0]?.body).toEqual({ name: 'bot' });
});

test('a try after a lost answer is the same request, another name another one', async () => {
  form.name = 'bot';
  respond = () => {
    throw new TypeError('lost');
  };
  expect(await form.create()).toBeUndefined();
  expect(form.submission.failure).toMatch(/is not responding/);
  await form.create();
  form.name = 'bot2';
  await form.create();
  const [first, second, third] = requests.map(({ key }) => key);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('a refused name is told at the field until it is changed', async () => {
  form.name = 'bot';
  const errors = [{ field: 'name', message: 'is taken' }];
  respond = () => Response.json({ code: 'validation_failed', errors }, { status: 400 });
  await form.create();
  expect(form.submission.field('name')).toBe('Is taken.');
  form.name = 'bots';
  expect(form.submission.field('name')).toBeUndefined();
});
