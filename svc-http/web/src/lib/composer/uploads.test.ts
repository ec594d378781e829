import { expect, test, vi } from 'vitest';
import { Problem } from '../api/problem';
import { MOST_FILES, Uploads, type SendFile } from './uploads.svelte';

const file = (name: string, size = 10) => ({ name, size }) as File;
const stored = (name: string) => ({
  hash: name,
  filename: name,
  size: 10,
  mime_type: 'text/plain',
  is_image: false,
});

/** Sends that end when the test says so. */
function held() {
  const runs: { progress: (share: number) => void; end: (error?: unknown) => void; signal: AbortSignal }[] =
    [];
  const send: SendFile = (sent, progress, signal) =>
    new Promise((resolve, reject) => {
      const end = (error?: unknown) => (error ? reject(error) : resolve(stored(sent.name)));
      runs.push({ progress, end, signal });
    });
  return { runs, uploads: new Uploads(send) };
}
const turn = () => new Promise((done) => setTimeout(done));

test('a file shows its progress and is stored in the end', async () => {
  const { runs, uploads } = held();
  uploads.add([file('a.txt')]);
  runs[0]?.progress(0.4);
  expect(uploads.all).toMatchObject([{ name: 'a.txt', progress: 0.4, state: 'uploading' }]);
  expect(uploads.isBusy).toBe(true);
  runs[0]?.end();
  await turn();
  expect(uploads.stored).toEqual([stored('a.txt')]);
  expect(uploads.isBusy).toBe(false);
});

test('a refused file keeps its reason and can be tried again', async () => {
  const { runs, uploads } = held();
  uploads.add([file('a.exe')]);
  runs[0]?.end(new Problem({ status: 415, code: 'type_not_allowed', detail: 'Not this type.' }));
  await turn();
  expect(uploads.all).toMatchObject([{ state: 'failed', reason: 'Not this type.' }]);
  uploads.retry(uploads.all[0]?.id ?? 0);
  runs[1]?.end();
  await turn();
  expect(uploads.stored).toHaveLength(1);
});

test('removing gives the sending up', () => {
  const { runs, uploads } = held();
  uploads.add([file('a.txt')]);
  uploads.remove(uploads.all[0]?.id ?? 0);
  expect(runs[0]?.signal.aborted).toBe(true);
  expect(uploads.all).toEqual([]);
});

test('a file that is too large is not sent at all', async () => {
  const send = vi.fn();
  const uploads = new Uploads(send as never);
  uploads.add([file('film', 51 * 1024 * 1024)]);
  await turn();
  expect(send).not.toHaveBeenCalled();
  expect(uploads.all[0]?.reason).toMatch(/50 MiB/);
});

test('more files than a message carries are refused in words', () => {
  const { uploads } = held();
  const many = Array.from({ length: MOST_FILES + 1 }, (_, index) => file(`${index}`));
  expect(uploads.add(many)).toMatch(/at most 20/);
  expect(uploads.all).toHaveLength(MOST_FILES);
});

test('files of a draft are there without being sent again', () => {
  const { runs, uploads } = held();
  uploads.restore([stored('a.txt')]);
  expect(uploads.stored).toHaveLength(1);
  expect(runs).toHaveLength(0);
});

test('files of an unsent message come beside those that are here and those on their way', async () => {
  const { runs, uploads } = held();
  uploads.add([file('mine.txt')]);
  uploads.append([stored('unsent.txt')]);
  runs[0]?.end();
  await turn();
  expect(uploads.stored.map(({ filename }) => filename)).toEqual(['mine.txt', 'unsent.txt']);
  expect(runs[0]?.signal.aborted).toBe(false);
});

test('that a file has arrived is told also when nobody looks at the list', async () => {
  const arrived = vi.fn();
  const uploads: Uploads = new Uploads(
    async (sent) => stored(sent.name),
    () => arrived(uploads.stored.map(({ filename }) => filename)),
  );
  uploads.add([file('a.txt')]);
  await turn();
  expect(arrived.mock.calls).toEqual([[['a.txt']]]);
});

test('a draft that another tab has changed leaves alone what has not arrived here', async () => {
  const { runs, uploads } = held();
  uploads.restore([stored('old.txt')]);
  uploads.add([file('slow.txt'), file('refused.exe')]);
  runs[1]?.end(new Problem({ status: 415 }));
  await turn();
  uploads.restore([stored('new.txt')]);
  expect(uploads.all.map(({ name, state }) => [name, state])).toEqual([
    ['slow.txt', 'uploading'],
    ['refused.exe', 'failed'],
    ['new.txt', 'stored'],
  ]);
  expect(runs[0]?.signal.aborted).toBe(false);
});

test('the same file twice is one, and too many are known as that', () => {
  const { uploads } = held();
  uploads.restore([stored('a.txt')]);
  uploads.append([stored('a.txt'), stored('b.txt')]);
  expect(uploads.stored.map(({ filename }) => filename)).toEqual(['a.txt', 'b.txt']);
  expect(uploads.areTooMany).toBe(false);
  uploads.append(Array.from({ length: MOST_FILES }, (_, index) => stored(`${index}`)));
  expect(uploads.areTooMany).toBe(true);
});
