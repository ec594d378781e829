import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { messagesInWords, PAUSE, PromptPreview } from './preview.svelte';

let asked: string[];
let respond: (body: string) => Response | Promise<Response>;
let preview: PromptPreview;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  respond = (body) => Response.json({ prompt: `Prompt for ${body}`, message_count: 2 });
  const send = (async (request: Request) => {
    const body = await request.text();
    asked.push(`${request.method} ${new URL(request.url).pathname} ${body}`);
    return respond(body);
  }) as typeof fetch;
  preview = new PromptPreview(createApi({ fetch: send, origin: 'http://hub.test' }), 'bot');
});

afterEach(() => vi.useRealTimers());

const ADDRESS = 'POST /api/agents/bot/run/preview';
const settled = () => vi.waitFor(() => expect(preview.busy).toBe(false));

test('the first prompt is asked for at once, without a request', async () => {
  preview.show(' ');
  await settled();
  expect(asked).toEqual([`${ADDRESS} {}`]);
  expect(preview.value).toEqual({ prompt: 'Prompt for {}', message_count: 2 });
});

test('what is typed is asked for once, after a pause', async () => {
  preview.show('');
  await settled();
  for (const typed of ['C', 'Co', 'Count', 'Count ']) preview.show(typed);
  expect(preview.busy).toBe(true);
  expect(preview.value?.prompt).toBe('Prompt for {}');
  await vi.advanceTimersByTimeAsync(PAUSE - 1);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await settled();
  expect(asked.slice(1)).toEqual([`${ADDRESS} {"prompt":"Count"}`]);
  expect(preview.value?.prompt).toBe('Prompt for {"prompt":"Count"}');
});

test('an answer to an earlier request is ignored', async () => {
  let late: (response: Response) => void = () => {};
  respond = () => new Promise((resolve) => (late = resolve));
  preview.show('');
  await vi.advanceTimersByTimeAsync(0);
  const first = late;
  preview.show('Count');
  await vi.advanceTimersByTimeAsync(PAUSE);
  expect(late).not.toBe(first);
  late(Response.json({ prompt: 'new', message_count: 0 }));
  await settled();
  first(Response.json({ prompt: 'old', message_count: 0 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(preview.value?.prompt).toBe('new');
});

test('a failure is told, and another try asks the same again', async () => {
  respond = () => Response.json({ detail: 'Not now.' }, { status: 503 });
  preview.show('Count');
  await settled();
  expect(preview.failure).toBe('Not now.');
  respond = () => Response.json({ prompt: 'Count.', message_count: 1 });
  preview.load();
  await settled();
  expect([preview.failure, preview.value?.prompt]).toEqual([undefined, 'Count.']);
  expect(asked[1]).toBe(asked[0]);
});

test('an agent without a harness is told apart', async () => {
  respond = () =>
    Response.json({ detail: 'This agent has no harness.', code: 'harness_missing' }, { status: 409 });
  preview.show('');
  await settled();
  expect(preview.failure).toBe('This agent has no harness yet. Save one to see the prompt.');
});

test('after it was closed, nothing of before is shown', async () => {
  preview.show('Count');
  await settled();
  preview.stop();
  expect(preview.value).toBeUndefined();
  preview.show('Count');
  await settled();
  expect(asked).toHaveLength(2);
});

test('waiting messages are counted', () => {
  expect([0, 1, 2].map(messagesInWords)).toEqual(['No messages wait', '1 message waits', '2 messages wait']);
});
