import { expect, test } from 'vitest';
import { createApi } from '../api/client';
import { isReader } from './reader';

/** The hub, of which the lists have not come yet unless they are given. */
function app(respond: () => Response, channels: { name: string; is_member: boolean }[] = []) {
  const api = createApi({ fetch: (async () => respond()) as typeof fetch, origin: 'http://hub.test' });
  return { api, store: { channel: (name: string) => channels.find((one) => one.name === name) } as never };
}
const OPS = { kind: 'channel', name: 'ops' } as const;
const never = () => {
  throw new Error('asked for nothing');
};

test('what the lists say counts, and direct messages are always for me', async () => {
  expect(await isReader(app(never, [{ name: 'ops', is_member: true }]), OPS)).toBe(true);
  expect(await isReader(app(never, [{ name: 'ops', is_member: false }]), OPS)).toBe(false);
  expect(await isReader(app(never), { kind: 'dm', name: 'eve' })).toBe(true);
});

test('before the lists have come the channel itself is asked', async () => {
  expect(
    await isReader(
      app(() => Response.json({ is_member: true })),
      OPS,
    ),
  ).toBe(true);
  expect(
    await isReader(
      app(() => Response.json({ is_member: false })),
      OPS,
    ),
  ).toBe(false);
});

test('without an answer nothing is taken for read', async () => {
  const lost = () => {
    throw new TypeError('lost');
  };
  expect(await isReader(app(lost), OPS)).toBe(true);
});
