import { expect, test } from 'vitest';
import { createApi } from '../api/client';
import { DirectSource, sourceOf, type MessageSource } from './source';

/** The address that a source asks for a page. */
async function asked(
  make: (api: ReturnType<typeof createApi>) => MessageSource,
  wanted: object,
): Promise<string> {
  let address = '';
  const send = (async (request: Request) => {
    address = request.url;
    const page = { messages: [], has_more_before: false, has_more_after: false, last_read_message_id: null };
    return Response.json(page);
  }) as typeof fetch;
  await make(createApi({ fetch: send, origin: 'http://hub.test' })).load({ limit: 50, ...wanted });
  return address.replace('http://hub.test', '');
}

test.each([
  [{}, '?limit=50'],
  [{ before: 7 }, '?limit=50&before=7'],
  [{ after: 7 }, '?limit=50&after=7'],
  [{ around: 7 }, '?limit=50&around=7'],
])('the page %o is asked for in one question, wherever it is', async (wanted, query) => {
  const channel = await asked((api) => sourceOf(api, { kind: 'channel', name: 'ops' }), wanted);
  expect(channel).toBe(`/api/channels/ops/messages${query}`);
  const direct = await asked((api) => sourceOf(api, { kind: 'dm', name: 'eve' }), wanted);
  expect(direct).toBe(`/api/dm/eve/messages${query}`);
});

test('the side of an agent is asked for by its name', async () => {
  const address = await asked((api) => new DirectSource(api, 'eve', 'scout'), { around: 7 });
  expect(address).toBe('/api/dm/eve/messages?limit=50&around=7&with=scout');
});
