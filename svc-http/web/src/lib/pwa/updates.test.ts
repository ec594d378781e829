import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Updates } from './updates.svelte';

class StandInWorker extends EventTarget {
  state = 'installing';
  postMessage = vi.fn();
  install() {
    this.state = 'installed';
    this.dispatchEvent(new Event('statechange'));
  }
}

class StandInRegistration extends EventTarget {
  waiting: StandInWorker | null = null;
  installing: StandInWorker | null = null;
  update = vi.fn(async () => undefined);
  find(): StandInWorker {
    this.installing = new StandInWorker();
    this.dispatchEvent(new Event('updatefound'));
    return this.installing;
  }
}

class StandInContainer extends EventTarget {
  controller: object | null = {};
  registration = new StandInRegistration();
  register = vi.fn(async () => this.registration);
}

let container: StandInContainer;
let updates: Updates;
const reload = vi.fn();

afterEach(() => vi.useRealTimers());
beforeEach(() => {
  vi.useFakeTimers();
  reload.mockClear();
  container = new StandInContainer();
  updates = new Updates(container as never, reload);
});

async function started() {
  updates.start();
  await vi.advanceTimersByTimeAsync(10_000);
}

test('the page that is being opened comes first', async () => {
  updates.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(container.register).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(container.register).toHaveBeenCalledTimes(1);
});

test('the first installation is no update', async () => {
  container.controller = null;
  await started();
  container.registration.find().install();
  expect(updates.available).toBe(false);
});

test('a newer version is offered, and taken only when the person wants it', async () => {
  await started();
  const worker = container.registration.find();
  expect(updates.available).toBe(false);
  worker.install();
  container.registration.waiting = worker;
  expect(updates.available).toBe(true);
  expect(worker.postMessage).not.toHaveBeenCalled();

  updates.take();
  expect(worker.postMessage).toHaveBeenCalledWith('activate');
  expect(reload).not.toHaveBeenCalled();
  container.dispatchEvent(new Event('controllerchange'));
  expect(reload).toHaveBeenCalledTimes(1);
});

test('what another tab took does not reload this one', async () => {
  await started();
  container.dispatchEvent(new Event('controllerchange'));
  expect(reload).not.toHaveBeenCalled();
});

test('one that waited already is offered at once', async () => {
  container.registration.waiting = new StandInWorker();
  await started();
  expect(updates.available).toBe(true);
});

test('without a container, or when it refuses, nothing happens', async () => {
  new Updates(undefined, reload).start()();
  container.register = vi.fn(async () => Promise.reject(new Error('no')));
  await started();
  updates.look();
  expect(updates.available).toBe(false);
});
