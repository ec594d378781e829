import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../api/client';
import { Outbox, type Letter } from './outbox.svelte';
import { message } from './sample';

const LETTER: Letter = {
  place: { kind: 'channel', name: 'general' },
  body: 'hello',
  subject: '',
  priority: 5,
  replyTo: undefined,
  files: [],
};

/** What the tabs of one browser share: storage, of which the others are told, and locks, each with its queue. */
class StandInBrowser {
  readonly entries = new Map<string, string>();
  readonly tabs: Tab[] = [];
  readonly #queues = new Map<string, { tab: Tab; run: () => Promise<void> }[]>();
  refusesLocks = false;

  changed(by: Tab, key: string, value: string | undefined): void {
    if (value === undefined) this.entries.delete(key);
    else this.entries.set(key, value);
    for (const tab of this.tabs) {
      if (tab !== by)
        queueMicrotask(() => tab.isClosed || tab.outbox.storedElsewhere({ key, newValue: value ?? null }));
    }
  }

  request(
    tab: Tab,
    name: string,
    isPatient: boolean,
    grant: (lock: object | null) => unknown,
  ): Promise<unknown> {
    if (this.refusesLocks) return Promise.reject(new DOMException('not here', 'SecurityError'));
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    if (!isPatient && queue.length > 0) return Promise.resolve(grant(null));
    return new Promise((resolve) => {
      const run = async () => {
        const result = await grant({ name });
        this.#leave(name, run);
        resolve(result);
      };
      queue.push({ tab, run });
      if (queue.length === 1) void run();
    });
  }

  /** The browser takes the locks of a closed tab back. */
  close(tab: Tab): void {
    tab.isClosed = true;
    for (const [name, queue] of this.#queues) {
      for (const entry of queue.filter((waiting) => waiting.tab === tab)) this.#leave(name, entry.run);
    }
  }

  #leave(name: string, run: () => Promise<void>): void {
    const queue = this.#queues.get(name) ?? [];
    const rest = queue.filter((entry) => entry.run !== run);
    this.#queues.set(name, rest);
    if (queue[0]?.run === run) void rest[0]?.run();
  }
}

class Tab {
  readonly outbox: Outbox;
  isClosed = false;

  constructor(browser: StandInBrowser) {
    browser.tabs.push(this);
    const send = (async (request: Request) => {
      requests.push(((await request.clone().json()) as { body: string }).body);
      return respond();
    }) as typeof fetch;
    this.outbox = new Outbox({
      api: createApi({ fetch: send, origin: 'http://hub.test' }),
      who: 'ada',
      storage: () => ({
        getItem: (key) => browser.entries.get(key) ?? null,
        setItem: (key, value) => browser.changed(this, key, value),
        removeItem: (key) => browser.changed(this, key, undefined),
        key: (index) => [...browser.entries.keys()][index] ?? null,
        length: browser.entries.size,
      }),
      locks: {
        request: (name: string, ...[options, grant]: [unknown, never]) =>
          typeof options === 'function'
            ? browser.request(this, name, true, options as never)
            : browser.request(this, name, false, grant),
      } as never,
      stored: () => undefined,
    });
  }
}

let browser: StandInBrowser;
let requests: string[];
let respond: () => Response | Promise<Response>;
const isStored = () => Response.json(message(7), { status: 201 });
const isLost = () => Promise.reject(new TypeError('lost'));

/** Answers when the test says so. */
function held() {
  const waiting: ((response: Response) => void)[] = [];
  respond = () => new Promise((resolve) => waiting.push(resolve));
  return {
    arrive: () => waiting.shift()?.(isStored()),
    fail: () => waiting.shift()?.(new Response('', { status: 503 })),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  browser = new StandInBrowser();
  requests = [];
  respond = isStored;
});
afterEach(() => vi.useRealTimers());
const settle = (milliseconds = 1) => vi.advanceTimersByTimeAsync(milliseconds);

test('what failed in one tab stays when another one sends, and is gone from both when one has sent it', async () => {
  const [first, second] = [new Tab(browser), new Tab(browser)];
  respond = isLost;
  await first.outbox.send(LETTER);
  respond = isStored;
  await second.outbox.send({ ...LETTER, body: 'another' });
  expect(new Tab(browser).outbox.all).toMatchObject([{ body: 'hello', state: 'failed' }]);
  expect(second.outbox.all).toMatchObject([{ body: 'hello', state: 'failed' }]);
  await second.outbox.retryLost();
  await settle();
  expect(browser.tabs.flatMap(({ outbox }) => outbox.all)).toEqual([]);
  expect(browser.entries.size).toBe(0);
});

test('a tab that is opened while another one sends shows that, and nothing when it is stored', async () => {
  const { arrive } = held();
  const first = new Tab(browser);
  void first.outbox.send(LETTER);
  await settle();
  const second = new Tab(browser);
  await settle(60_000);
  expect(second.outbox.all).toMatchObject([{ state: 'sending' }]);
  arrive();
  await settle(1_000);
  expect(second.outbox.all).toEqual([]);
  expect(requests).toHaveLength(1);
});

test('what a tab was sending when it was closed is told as unsent by the others', async () => {
  held();
  const second = new Tab(browser);
  const first = new Tab(browser);
  void first.outbox.send(LETTER);
  await settle();
  expect(second.outbox.all).toMatchObject([{ state: 'sending' }]);
  browser.close(first);
  await settle(1_000);
  expect(second.outbox.all).toMatchObject([{ state: 'failed', reason: expect.stringMatching(/was closed/) }]);
  // It is there after a reload too, and can be sent.
  respond = isStored;
  const third = new Tab(browser);
  await third.outbox.retry(third.outbox.all[0]?.key ?? '');
  await settle();
  expect(second.outbox.all).toEqual([]);
});

test('when all tabs hear that the hub is back, each message is sent once and in order', async () => {
  const tabs = [new Tab(browser), new Tab(browser)] as const;
  respond = isLost;
  await tabs[0].outbox.send({ ...LETTER, body: 'one' });
  await settle();
  await tabs[1].outbox.send({ ...LETTER, body: 'two' });
  await settle();
  requests = [];
  const { arrive } = held();
  for (const { outbox } of tabs) void outbox.retryLost();
  await settle();
  expect(requests).toEqual(['one']);
  arrive();
  await settle();
  arrive();
  await settle();
  expect(requests).toEqual(['one', 'two']);
  expect(tabs.flatMap(({ outbox }) => outbox.all)).toEqual([]);
});

test('what another tab has sent meanwhile is not sent again', async () => {
  const [first, second] = [new Tab(browser), new Tab(browser)];
  respond = isLost;
  await first.outbox.send(LETTER);
  await settle();
  const key = first.outbox.all[0]?.key ?? '';
  requests = [];
  const { arrive } = held();
  void first.outbox.retry(key);
  void second.outbox.retry(key);
  await settle();
  arrive();
  await settle();
  expect(requests).toHaveLength(1);
  expect(second.outbox.all).toEqual([]);
});

test('when the tab that would try again is closed, another one does', async () => {
  const [first, second] = [new Tab(browser), new Tab(browser)];
  respond = isLost;
  await first.outbox.send(LETTER);
  await settle();
  browser.close(first);
  respond = isStored;
  await settle(20_000);
  expect(second.outbox.all).toEqual([]);
});

test('a browser that gives no locks sends all the same', async () => {
  browser.refusesLocks = true;
  const { outbox } = new Tab(browser);
  respond = isLost;
  await outbox.send(LETTER);
  respond = isStored;
  await outbox.retryLost();
  expect(outbox.all).toEqual([]);
});

test('what is on its way is shown where it was written, and everywhere when it takes long or has failed', async () => {
  const [first, second] = [new Tab(browser), new Tab(browser)];
  const shown = () => [first, second].map(({ outbox }) => outbox.of(LETTER.place).length);
  const { fail } = held();
  void first.outbox.send(LETTER);
  expect(shown()).toEqual([1, 0]);
  await settle();
  expect(second.outbox.all).toHaveLength(1);
  expect(shown()).toEqual([1, 0]);
  await settle(1_000);
  expect(shown()).toEqual([1, 1]);
  expect(new Tab(browser).outbox.of(LETTER.place)).toHaveLength(1);
  fail();
  await settle();
  expect(shown()).toEqual([1, 1]);
});
