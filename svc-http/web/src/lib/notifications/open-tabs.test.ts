import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OpenTabs } from './open-tabs';

type Ear = (event: MessageEvent) => void;

/** A browser with one lock and one channel for its tabs. */
class StandIn {
  readonly ears = new Map<object, Ear>();
  readonly #queue: { grant: () => unknown; signal: AbortSignal }[] = [];
  #isHeld = false;

  tab(path: () => string | undefined): OpenTabs {
    const own = {};
    return new OpenTabs(
      {
        locks: {
          request: (_name: string, { signal }: { signal: AbortSignal }, grant: () => unknown) => {
            this.#queue.push({ grant, signal });
            this.#next();
            return Promise.resolve();
          },
        } as never,
        channel: () => ({
          postMessage: (data: unknown) => {
            for (const [other, ear] of this.ears) if (other !== own) ear({ data } as MessageEvent);
          },
          addEventListener: (_: string, ear: unknown) => void this.ears.set(own, ear as Ear),
          removeEventListener: () => void this.ears.delete(own),
          close: () => undefined,
        }),
        path,
      },
      'ada',
    );
  }

  #next(): void {
    if (this.#isHeld) return;
    const request = this.#queue.shift();
    if (!request) return;
    if (request.signal.aborted) {
      this.#next();
      return;
    }
    this.#isHeld = true;
    void Promise.resolve(request.grant()).then(() => {
      this.#isHeld = false;
      this.#next();
    });
  }
}

let browser: StandIn;

beforeEach(() => {
  vi.useFakeTimers();
  browser = new StandIn();
});
afterEach(() => {
  vi.useRealTimers();
});

test('one tab is first, and the next one when it is closed', async () => {
  const tabs = [browser.tab(() => undefined), browser.tab(() => undefined)];
  const stops = tabs.map((tab) => tab.start());
  expect(tabs.map(({ isFirst }) => isFirst)).toEqual([true, false]);
  stops[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(tabs.map(({ isFirst }) => isFirst)).toEqual([false, true]);
});

test('a tab knows what is on screen in all of them', async () => {
  let shown: string | undefined = '/c/general';
  const [here, there] = [browser.tab(() => undefined), browser.tab(() => shown)];
  here.start();
  there.start();
  const ask = async () => {
    const asking = here.onScreen();
    await vi.advanceTimersByTimeAsync(1_000);
    return asking;
  };
  expect(await ask()).toEqual(['/c/general']);
  shown = undefined;
  expect(await ask()).toEqual([]);
});
