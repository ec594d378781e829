/**
 * Stands in for what headless Chromium lacks: its push service and the hand that clicks notifications. The service
 * worker, the notifications and everything that they do are real.
 */

import assert from 'node:assert/strict';
import { serverOrigin } from './visit.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./push-service.mjs').Keys} Keys */
/** @typedef {{ title: string, body: string, tag: string, url: string, actions: string[] }} Shown */

/** How often a message is handed to the worker, and how long it has to arrive. */
const DELIVERIES = 5;
const DELIVERY_MILLISECONDS = 3_000;
const PATIENCE_MILLISECONDS = 15_000;

/**
 * Lets the pages of a visit subscribe with keys of the test's push service. The browser remembers it over reloads.
 *
 * @param {Page} page
 * @param {Keys} keys
 */
export async function providePush(page, keys) {
  await page.addInitScript(({ endpoint, p256dh, auth }) => {
    const KEPT = 'journey.subscribed';
    const subscription = {
      endpoint,
      options: { applicationServerKey: null, userVisibleOnly: true },
      toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh, auth } }),
      unsubscribe: async () => {
        localStorage.removeItem(KEPT);
        return true;
      },
    };
    const prototype = /** @type {any} */ (PushManager.prototype);
    prototype.getSubscription = async () => (localStorage.getItem(KEPT) === null ? null : subscription);
    prototype.subscribe = async (/** @type {any} */ { userVisibleOnly, applicationServerKey }) => {
      // A point on P-256, uncompressed.
      if (!userVisibleOnly || applicationServerKey?.length !== 65) throw new TypeError('a wrong key');
      localStorage.setItem(KEPT, '');
      return subscription;
    };
  }, keys);
}

/**
 * Hands a message to the service worker, as the browser does that has decrypted it. The browser may drop a message for
 * a worker that is just starting, so it is sent again until the worker has got it.
 *
 * @param {Page} page
 * @param {string} data
 */
export async function deliver(page, data) {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const worker = runningWorker(page);
  await worker.evaluate(() => {
    const scope = /** @type {any} */ (self);
    if (!scope.showings) {
      scope.showings = [];
      scope.show = scope.registration.showNotification.bind(scope.registration);
      scope.registration.showNotification = async (
        /** @type {string} */ title,
        /** @type {any} */ options,
      ) => {
        await scope.show(title, options);
        scope.showings.push({ title, options });
      };
    }
    scope.pushes = new Promise((resolve) => scope.addEventListener('push', resolve, { once: true }));
  });
  const session = await page.context().newCDPSession(page);
  const scope = `${serverOrigin()}/`;
  /** @type {Promise<string>} */
  const registered = new Promise((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL, isDeleted }) => scopeURL === scope && !isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  for (let attempt = 0; attempt < DELIVERIES; attempt += 1) {
    await session.send('ServiceWorker.deliverPushMessage', { origin: scope, registrationId, data });
    const arrived = await worker.evaluate(
      (milliseconds) =>
        Promise.race([
          /** @type {any} */ (self).pushes.then(() => true),
          new Promise((resolve) => setTimeout(() => resolve(false), milliseconds)),
        ]),
      DELIVERY_MILLISECONDS,
    );
    if (arrived) return;
  }
  assert.fail('the service worker got no message');
}

/**
 * The last notification that the service worker has shown under a tag, as soon as there is one that fits. The browser is
 * not asked: Chromium removes a notification that is asked for before it is on screen.
 *
 * @param {Page} page
 * @param {string} tag
 * @param {(shown: Shown) => boolean} [fits]
 * @returns {Promise<Shown>}
 */
export async function shown(page, tag, fits = () => true) {
  const deadline = Date.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    /** @type {Shown[]} */
    const all = await runningWorker(page).evaluate(() =>
      /** @type {any} */ (self).showings.map((/** @type {any} */ { title, options }) => ({
        title,
        body: options.body,
        tag: options.tag ?? '',
        url: options.data?.url,
        actions: (options.actions ?? []).map((/** @type {{ title: string }} */ action) => action.title),
      })),
    );
    const found = all.findLast((one) => one.tag === tag && fits(one));
    if (found) return found;
    assert.ok(Date.now() < deadline, `no such notification: ${JSON.stringify(all)}`);
  }
}

/** @param {Page} page */
function runningWorker(page) {
  const worker = page.context().serviceWorkers()[0];
  assert.ok(worker, 'no service worker is running');
  return worker;
}

/**
 * All notifications that are on screen.
 *
 * @param {Page} page
 * @returns {Promise<Shown[]>}
 */
export function notifications(page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map((one) => ({
      title: one.title,
      body: one.body,
      tag: one.tag,
      url: one.data?.url,
      actions: (Reflect.get(one, 'actions') ?? []).map((/** @type {{ title: string }} */ { title }) => title),
    }));
  });
}

/**
 * Clicks a notification, or one of its buttons, and returns when the service worker has done what it does then.
 *
 * @param {Page} page
 * @param {string} tag
 * @param {string} [action]
 */
export async function click(page, tag, action = '') {
  await runningWorker(page).evaluate(async ([wanted, button]) => {
    const scope = /** @type {any} */ (self);
    const { title, options } = scope.showings.findLast(
      (/** @type {any} */ one) => one.options.tag === wanted,
    );
    let notification;
    // One that was asked for too early is gone, and is shown again.
    for (let look = 0; look < 20 && !notification; look += 1) {
      if (look > 0) await scope.show(title, options);
      await new Promise((resolve) => setTimeout(resolve, 100));
      [notification] = await scope.registration.getNotifications({ tag: wanted });
    }
    const event = new scope.NotificationEvent('notificationclick', { notification, action: button });
    /** @type {Promise<unknown> | undefined} */
    let work;
    // The browser lets only its own events wait.
    Object.defineProperty(event, 'waitUntil', { value: (/** @type {Promise<unknown>} */ it) => (work = it) });
    scope.dispatchEvent(event);
    await work;
  }, /** @type {const} */ ([tag, action]));
}

/**
 * Puts the tab out of sight or back, and waits until the server knows.
 *
 * @param {Page} page
 * @param {'visible' | 'hidden'} state
 */
export async function turn(page, state) {
  const told = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/presence') &&
      response.request().postDataJSON().visible === (state === 'visible'),
  );
  await page.evaluate((wanted) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => wanted });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => wanted === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
  assert.equal((await told).status(), 204);
}
