// The service worker: it keeps the program (never data), so that the page opens without a connection, and shows
// notifications that the server pushes.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-c51f717964301322';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/AdminPage-K8KYqKnR.js","/assets/AdminTabs-CCNtLqsV.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/ArticleText-SxdQQWKY.js","/assets/AvatarEditor-2t4aRF-N.js","/assets/AvatarEditor-BmJcIPd8.css","/assets/Connect-91WP1u-d.js","/assets/Connect-BXmvQMO7.css","/assets/DiffView-B_y99Hyt.js","/assets/DiffView-DWDKp8eZ.css","/assets/EditorView-DNy50-VO.js","/assets/EditorView-DYl_HvkI.css","/assets/FirstAgent-DMNl8QL4.js","/assets/FirstAgent-DyhZp_X-.css","/assets/GoalText-DO5FFdSW.css","/assets/GoalText-DvfoSNHd.js","/assets/Help-BTELO4LN.js","/assets/InviteDialog-BevCVC0R.css","/assets/InviteDialog-DDRc__7-.js","/assets/KeyOnce-BFEk3bOR.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-BwKB2Etn.js","/assets/MentionItem-CqAQ__UX.js","/assets/Notifications-DYTCswrh.js","/assets/Notifications-I5I80RhA.css","/assets/Pages-OhiWWVB3.css","/assets/Pages-nOeFlxu-.js","/assets/Palette-BnlX94JY.js","/assets/Palette-BrKd2OAh.css","/assets/PasswordDialog-DZih25fR.css","/assets/PasswordDialog-DdLWcjUg.js","/assets/PinsButton-DUwyhGm-.js","/assets/ProvideSecretDialog-D35BHKEc.js","/assets/ProvideSecretDialog-DRfOT4Kb.css","/assets/RestoreDialog-BLapQUD7.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/RunTableFrame-DPITdVEn.js","/assets/SaveText-CGLViHr-.js","/assets/ShortcutList-BSam1ygo.js","/assets/ShortcutList-CLtID7bx.css","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-CxpPQb1D.js","/assets/SpendBars-DW5bNBEY.js","/assets/SpendBars-Dj7jD8m-.css","/assets/TraceBrowser-BN3OBqq3.js","/assets/TraceBrowser-di-ClXyF.css","/assets/VerifyDialog-BFHOIC-L.js","/assets/WorkerTable-CpqZZTsi.js","/assets/WorkerTable-DbLOYlIc.css","/assets/api-1wRAhYkm.js","/assets/api-2Z7o208u.js","/assets/api-B1tlNmhz.js","/assets/begin-BvIddLuy.js","/assets/browser-name-BbOCq1Sm.js","/assets/chime-CSVBJEcg.js","/assets/completion-CMML3_c_.js","/assets/dead-letters.svelte-DmCdkGJz.js","/assets/emoji-BHYnf0ii.js","/assets/finder.svelte-CRTB2G3Z.js","/assets/first-run.svelte-c8W8_sge.js","/assets/highlight-CuOTfHtn.js","/assets/index-DbiBnpAg.css","/assets/index-W1TXK9_p.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-BUGddfZl.css","/assets/messages-fUUF3y1m.js","/assets/own-query.svelte-Bd3lQIBj.js","/assets/page-2MpFqByD.js","/assets/page-9TJu0zA6.js","/assets/page-AXjolGSi.js","/assets/page-B6fyNSwo.css","/assets/page-BD5aoW4-.js","/assets/page-BEx5n47c.js","/assets/page-BKdSmwz-.css","/assets/page-BOwpBVRj.js","/assets/page-BP71Y0-t.js","/assets/page-BRcEifoo.css","/assets/page-BVcj_PWu.css","/assets/page-BVd4gBUU.css","/assets/page-BXzV87fy.css","/assets/page-BaXSXWGi.css","/assets/page-Bj5j7-Ep.css","/assets/page-Bja2Xz6N.js","/assets/page-BlEQnjzN.js","/assets/page-BpqLpGEv.js","/assets/page-Bq2ayJYp.js","/assets/page-BwTsR1Ep.js","/assets/page-BykSYtqH.css","/assets/page-ByzstRip.js","/assets/page-Bz-4XLCD.css","/assets/page-C1tFUTO4.css","/assets/page-C2NZ0l7H.css","/assets/page-C505P2su.js","/assets/page-C7sq6JQ5.js","/assets/page-CB3EjWiT.css","/assets/page-CF6UdkY7.js","/assets/page-CFj6o7pJ.js","/assets/page-CIAmUtek.js","/assets/page-CKE_TWZ4.js","/assets/page-CLiAUjlF.js","/assets/page-CNNdEFn6.css","/assets/page-COpnuoeV.css","/assets/page-CPi2fDW6.css","/assets/page-CWq4y1pT.js","/assets/page-CX73dyid.css","/assets/page-CZ5rmCCn.js","/assets/page-Cc6HTCBc.js","/assets/page-ChXJ4p7r.js","/assets/page-ClIEuSLo.js","/assets/page-CnO9feTM.css","/assets/page-Ct-rdxJ_.css","/assets/page-DFoWF6Zx.css","/assets/page-DOUI83Iw.js","/assets/page-DR-TeORv.js","/assets/page-DRdi2_hY.css","/assets/page-DUCvn0Tu.css","/assets/page-DUbVzNmG.js","/assets/page-DUgQDI1V.css","/assets/page-DX7gLkZD.js","/assets/page-DX9iEV8E.css","/assets/page-DXAZiC6H.js","/assets/page-DbbYhPlh.css","/assets/page-DgY-O7tG.css","/assets/page-Dq2H1fuH.css","/assets/page-DshBa7vN.css","/assets/page-DtjCcQ_8.js","/assets/page-DytPf2Qr.css","/assets/page-DyzFG66r.css","/assets/page-JTczn0JE.js","/assets/page-M8xf0kJw.css","/assets/page-MjFsRWHT.js","/assets/page-ODoFGAEF.js","/assets/page-YcPe8R9m.js","/assets/page-ZCkCv2cq.js","/assets/page-ZuvWl4-g.css","/assets/page-ebTI-nQQ.js","/assets/page-gqbdekKB.css","/assets/page-qqDZaCiw.css","/assets/page-wSw946x8.js","/assets/page-yD7kFhUe.js","/assets/page-zmcgIgtP.css","/assets/paged-CBZqjuRT.css","/assets/paged.svelte-MLM5b8nT.js","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/plot-GJ90g5Rt.js","/assets/polling-BukXlHg4.js","/assets/program-DGXeouQM.css","/assets/program-KFpHjz_P.js","/assets/reactive.svelte-_Bm6llpl.js","/assets/refresh-frcYgl6Z.js","/assets/render-BIJ75yH1.js","/assets/rolldown-runtime-XKyaHtl9.js","/assets/shared-Dg9SsvIq.js","/assets/shared-gExHOxBF.css","/assets/sightings.svelte-2fM5zTd8.js","/assets/snippet-BLOTeE1p.js","/assets/svelte-DaIKgi6p.js","/assets/this-device-CyRji2lv.js","/assets/words-C1XBbAVS.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js","/","/start.js"]');
  /** What the server draws or answers itself; everything else is the page. */
  const SERVER =
    /^\/(api|auth|oauth|mcp|login|device|join|reset|pages|contracts|healthz|readyz|metrics|openapi\.json|\.well-known)(\/|$)/;

  worker.addEventListener('install', (/** @type {any} */ event) => {
    // Names of assets change with their contents; for the rest the browser must not answer from memory.
    const requests = FILES.map(
      (file) => new Request(file, { cache: file.startsWith('/assets/') ? 'default' : 'reload' }),
    );
    event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
  });

  worker.addEventListener('activate', (/** @type {any} */ event) => {
    event.waitUntil(
      caches
        .keys()
        .then((names) =>
          Promise.all(
            names
              .filter((name) => name.startsWith('svc-') && name !== CACHE)
              .map((name) => caches.delete(name)),
          ),
        ),
    );
  });

  // The page asks for this when the person has agreed to load the new version.
  worker.addEventListener('message', (/** @type {any} */ event) => {
    if (event.data === 'activate') worker.skipWaiting();
  });

  worker.addEventListener('fetch', (/** @type {any} */ event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.origin !== worker.location.origin || SERVER.test(url.pathname))
      return;
    if (request.mode === 'navigate') event.respondWith(networkFirst(request, '/'));
    else if (url.pathname.startsWith('/assets/')) event.respondWith(cacheFirst(request));
    else if (FILES.includes(url.pathname)) event.respondWith(networkFirst(request, url.pathname));
  });

  /**
   * @param {Request} request
   * @param {string} file
   */
  async function networkFirst(request, file) {
    try {
      return await fetch(request);
    } catch (error) {
      const kept = await (await caches.open(CACHE)).match(file);
      if (kept) return kept;
      throw error;
    }
  }

  /** @param {Request} request */
  async function cacheFirst(request) {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(request);
    if (kept) return kept;
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  }

  /**
   * @typedef {{ method: string, path: string, body?: unknown }} ActionRequest
   * @typedef {{ action: string, title: string, request: ActionRequest }} Action
   * @typedef {{ title: string, body: string, tag: string, url: string, actions: Action[] }} Push
   */

  const MOST_ACTIONS = 2;
  const ICON = '/icon-192.png';

  worker.addEventListener('push', (/** @type {any} */ event) => {
    event.waitUntil(show(readPush(event.data)));
  });

  worker.addEventListener('notificationclick', (/** @type {any} */ event) => {
    event.waitUntil(clicked(event.notification, event.action));
  });

  worker.addEventListener('pushsubscriptionchange', (/** @type {any} */ event) => {
    event.waitUntil(subscribeAgain(event));
  });

  /**
   * The browser demands a notification for each push, also for one that makes no sense.
   *
   * @param {any} data
   * @returns {Push}
   */
  function readPush(data) {
    /** @type {any} */
    let fields;
    try {
      fields = data?.json();
    } catch {
      fields = undefined;
    }
    const text = (/** @type {string} */ name) => (typeof fields?.[name] === 'string' ? fields[name] : '');
    const actions = Array.isArray(fields?.actions) ? fields.actions : [];
    return {
      title: text('title') || 'svc',
      body: text('title') ? text('body') : 'There is something new.',
      tag: text('tag'),
      url: pageAddress(text('url')),
      actions: actions.filter(isAction).slice(0, MOST_ACTIONS),
    };
  }

  /** @param {any} action */
  function isAction(action) {
    return (
      typeof action?.action === 'string' &&
      typeof action.title === 'string' &&
      typeof action.request?.method === 'string' &&
      requestAddress(action.request.path) !== undefined
    );
  }

  /**
   * Only pages of the program are opened.
   *
   * @param {string} address
   */
  function pageAddress(address) {
    const url = ownAddress(address);
    return url && !SERVER.test(url.pathname) ? url.pathname + url.search + url.hash : '/';
  }

  /**
   * Only the API of this server is asked.
   *
   * @param {unknown} path
   */
  function requestAddress(path) {
    const url = typeof path === 'string' && path.startsWith('/api/') ? ownAddress(path) : undefined;
    return url?.pathname.startsWith('/api/') ? url.href : undefined;
  }

  /** @param {string} address */
  function ownAddress(address) {
    if (!URL.canParse(address, worker.location.origin)) return undefined;
    const url = new URL(address, worker.location.origin);
    return url.origin === worker.location.origin ? url : undefined;
  }

  /** @param {Push} push */
  function show({ title, body, tag, url, actions }) {
    return worker.registration.showNotification(title, {
      body,
      icon: ICON,
      // Without a tag, there is nothing that could be replaced.
      ...(tag ? { tag, renotify: true } : {}),
      actions: actions.map(({ action, title: name }) => ({ action, title: name })),
      data: { url, actions },
    });
  }

  /**
   * @param {any} notification
   * @param {string} name
   */
  async function clicked(notification, name) {
    /** @type {Action[]} */
    const actions = notification.data?.actions ?? [];
    const action = actions.find((one) => one.action === name);
    if (action) return act(notification, action);
    notification.close();
    return open(pageAddress(notification.data?.url ?? ''));
  }

  /**
   * Shows a page in a window that is open already, or in a new one.
   *
   * @param {string} url
   */
  async function open(url) {
    /** @type {any[]} */
    const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
    // Pages that the server draws cannot go anywhere by themselves.
    const ours = windows.filter((one) => !SERVER.test(new URL(one.url).pathname));
    const found =
      ours.find((one) => one.focused) ?? ours.find((one) => one.visibilityState === 'visible') ?? ours[0];
    if (!found) return worker.clients.openWindow(url);
    found.postMessage({ kind: 'open', url });
    // A browser may refuse; the page is there all the same.
    return found.focus().catch(() => undefined);
  }

  /**
   * Does what a button of a notification says, and tells when that did not work.
   *
   * @param {any} notification
   * @param {Action} action
   */
  async function act(notification, action) {
    const status = await send(notification, action);
    if (status !== undefined && status >= 200 && status < 300) return notification.close();
    const { title, tag, data } = notification;
    const body =
      status === 409
        ? 'Already decided'
        : status === 401
          ? 'Log in to do this'
          : `Could not ${action.title.charAt(0).toLowerCase()}${action.title.slice(1)}`;
    // With a tag, the new one takes its place.
    if (!tag) notification.close();
    return show({ title, body, tag, url: pageAddress(data?.url ?? ''), actions: [] });
  }

  /**
   * The status of the answer, or nothing when there was none after two tries. The key makes the second one harmless.
   *
   * @param {any} notification
   * @param {Action} action
   * @returns {Promise<number | undefined>}
   */
  async function send({ tag, data }, { action, request }) {
    const address = requestAddress(request.path);
    if (address === undefined) return undefined;
    const body = request.body == null ? undefined : JSON.stringify(request.body);
    const options = {
      method: request.method,
      credentials: 'same-origin',
      headers: {
        'Idempotency-Key': await keyOf([tag, action, data?.url, request.path, body]),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    };
    const ask = () => fetch(address, /** @type {any} */ (options));
    const response = await ask()
      .catch(ask)
      .catch(() => undefined);
    return response?.status;
  }

  /** @param {unknown[]} parts */
  async function keyOf(parts) {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(parts)));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  /**
   * The browser has ended a subscription, and may have made another one already. Whatever fails here is made good when
   * the program is opened next.
   *
   * @param {any} event
   */
  async function subscribeAgain(event) {
    try {
      const subscription = event.newSubscription ?? (await subscribe(event.oldSubscription));
      await fetch('/api/push/subscriptions', {
        method: 'POST',
        credentials: 'same-origin',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(subscription),
      });
    } catch {
      // Nothing can be shown here.
    }
  }

  /** @param {any} old */
  async function subscribe(old) {
    const response = await fetch('/api/push/vapid-key', { credentials: 'same-origin' }).catch(
      () => undefined,
    );
    const key = response?.ok ? (await response.json()).public_key : old?.options?.applicationServerKey;
    return worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  }
})();
