import { beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/client';
import { Problem } from '../api/problem';
import { AgentPage } from './agent-page.svelte';

let respond: (request: Request) => Promise<Response> | Response;
let page: AgentPage;

beforeEach(() => {
  respond = () => Response.json({ name: 'bot', display_name: 'Bot' });
  const send = (async (request: Request) => respond(request)) as typeof fetch;
  page = new AgentPage(createApi({ fetch: send, origin: 'http://hub.test' }), 'bot');
});

test('an agent that does not exist is missing, not a failure', async () => {
  respond = () => Response.json({ detail: 'There is no such agent.' }, { status: 404 });
  await page.load();
  expect([page.isMissing, page.failure]).toEqual([true, undefined]);
});

test('a failure is told and mended by the next load', async () => {
  respond = () => Response.json({ detail: 'Not now.' }, { status: 503 });
  await page.load();
  expect([page.isMissing, page.failure]).toEqual([false, 'Not now.']);
  respond = () => Response.json({ name: 'bot' });
  await page.load();
  expect([page.agent?.name, page.failure]).toEqual(['bot', undefined]);
});

test('a change is shown as the server took it, also when an older answer comes late', async () => {
  let release: (response: Response) => void = () => undefined;
  respond = () => new Promise((resolve) => (release = resolve));
  const late = page.load();
  respond = async (request) => Response.json({ name: 'bot', ...((await request.json()) as object) });
  await page.change({ display_name: 'New' });
  release(Response.json({ name: 'bot', display_name: 'Old' }));
  await late;
  expect(page.agent?.display_name).toBe('New');
});

test('a refused change is thrown, and the agent stays as it was', async () => {
  await page.load();
  respond = () => Response.json({ detail: 'No.' }, { status: 400 });
  await expect(page.change({ display_name: '' })).rejects.toBeInstanceOf(Problem);
  expect(page.agent?.display_name).toBe('Bot');
});
