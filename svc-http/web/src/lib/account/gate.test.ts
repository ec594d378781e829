import { expect, test } from 'vitest';
import { Gate } from './gate';

/** Requests that are answered by hand. */
function server() {
  const asked: { path: string; answer: () => void }[] = [];
  const send = ((path: string) =>
    new Promise((done) => asked.push({ path, answer: () => done(new Response(path)) }))) as typeof fetch;
  return { asked, send };
}

test('a gate is closed when what was let through has been answered', async () => {
  const { asked, send } = server();
  const gate = new Gate(send);
  const first = gate.fetch('/one');
  let isClosed = false;
  const closing = gate.close().then(() => (isClosed = true));
  await Promise.resolve();
  expect(isClosed).toBe(false);
  asked[0]?.answer();
  await closing;
  expect(await (await first).text()).toBe('/one');
});

test('what comes to a closed gate goes on when the person stays', async () => {
  const { asked, send } = server();
  const gate = new Gate(send);
  await gate.close();
  const held = gate.fetch('/two');
  await Promise.resolve();
  expect(asked).toEqual([]);
  gate.open({ hasLeft: false });
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.answer();
  expect(await (await held).text()).toBe('/two');
});

test('what comes to a closed gate is never asked when the person has left', async () => {
  const { asked, send } = server();
  const gate = new Gate(send);
  await gate.close();
  const held = gate.fetch('/three');
  gate.open({ hasLeft: true });
  await expect(held).rejects.toMatchObject({ name: 'AbortError' });
  expect(asked).toEqual([]);
});
