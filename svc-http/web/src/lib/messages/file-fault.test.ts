import { expect, test } from 'vitest';
import { faultOf } from './file-fault';

const answers = (response: () => Response) => (async () => response()) as unknown as typeof fetch;
const problem = (status: number, code: string) => () => Response.json({ status, code }, { status });

test.each([
  [problem(500, 'attachment_damaged'), 'damaged'],
  [problem(404, 'no_thumbnail'), 'no_thumbnail'],
  [problem(404, 'not_found'), 'other'],
  [() => new Response('Bad gateway', { status: 502 }), 'other'],
  [() => new Response('x', { status: 206 }), undefined],
  [() => new Response('all of it', { status: 200 }), undefined],
  [() => new Response(null, { status: 416 }), undefined],
])('case %#: %s', async (response, fault) => {
  expect(await faultOf('/api/attachments/ab', answers(response))).toBe(fault);
});

test('only the first byte is asked for, and nothing is left running', async () => {
  let asked: RequestInit | undefined;
  const send = (async (_address: string, options: RequestInit) => {
    asked = options;
    return new Response('x', { status: 206 });
  }) as typeof fetch;
  await faultOf('/api/attachments/ab', send);
  expect(asked?.headers).toEqual({ range: 'bytes=0-0' });
  expect(asked?.signal?.aborted).toBe(true);
});

test('a server that is not responding is no damage', async () => {
  const lost = (() => Promise.reject(new TypeError('lost'))) as typeof fetch;
  expect(await faultOf('/api/attachments/ab', lost)).toBe('other');
});
