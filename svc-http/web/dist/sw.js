// The service worker: it keeps the program (never data), so that the page opens without a connection, and shows
// notifications that the server pushes.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-dc65404c283a0a3c';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/AdminPage-Dcdkm0UR.js","/assets/AdminTabs-eVHtqKTy.js","/assets/ArticleText-CPUvBVLN.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/AvatarEditor-BmJcIPd8.css","/assets/AvatarEditor-Cs2Mc3ob.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-DfrYNFoH.js","/assets/DiffView-BvT2g1C1.js","/assets/DiffView-DWDKp8eZ.css","/assets/EditorView-DYl_HvkI.css","/assets/EditorView-EWpSpT0U.js","/assets/FirstAgent-DaaeddFY.js","/assets/FirstAgent-DyhZp_X-.css","/assets/GoalText-DO5FFdSW.css","/assets/GoalText-DyATz_cn.js","/assets/Help-B0MP5SCE.js","/assets/InviteDialog-BevCVC0R.css","/assets/InviteDialog-BxTaTBxF.js","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-ZN3RysRj.js","/assets/LoopNote-BgFO9T7r.js","/assets/MentionItem-BXGL261z.js","/assets/Notifications-C1NU1Dlg.js","/assets/Notifications-I5I80RhA.css","/assets/Pages-DTpU3vBw.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BrKd2OAh.css","/assets/Palette-DAECSr6K.js","/assets/PasswordDialog-DZih25fR.css","/assets/PasswordDialog-fIeOcT1f.js","/assets/PinsButton-BIw_QcJf.js","/assets/ProvideSecretDialog-D9zhOth7.js","/assets/ProvideSecretDialog-DRfOT4Kb.css","/assets/RestoreDialog-CZwnsdxj.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/RunTableFrame-DPITdVEn.js","/assets/SaveText-Cj5u0zO8.js","/assets/ShortcutList-C8l25RHx.js","/assets/ShortcutList-CLtID7bx.css","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-BuvVw0Pc.js","/assets/SpendBars-DHZJvRHQ.js","/assets/SpendBars-Dj7jD8m-.css","/assets/TraceBrowser-YuNR_Cj1.js","/assets/TraceBrowser-di-ClXyF.css","/assets/VerifyDialog-Dc2bUUNu.js","/assets/WorkerTable-DF5VUSV1.js","/assets/WorkerTable-DbLOYlIc.css","/assets/api-CaKJH83r.js","/assets/api-DWQJzErv.js","/assets/api-m3j4UrDO.js","/assets/begin-BZ76KUNn.js","/assets/browser-name-BbOCq1Sm.js","/assets/chime-CSVBJEcg.js","/assets/completion-CMML3_c_.js","/assets/dead-letters.svelte-MZGOXjNg.js","/assets/emoji-BHYnf0ii.js","/assets/finder.svelte-Z7o1GXtO.js","/assets/first-run.svelte-BOL-B7rw.js","/assets/highlight-CuOTfHtn.js","/assets/index-DbiBnpAg.css","/assets/index-GAJPHfPC.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-BTBAlwpV.js","/assets/messages-BUGddfZl.css","/assets/own-query.svelte-Bd3lQIBj.js","/assets/page-4Wfp5v1P.js","/assets/page-ASkmLs0y.js","/assets/page-B6bOmXjw.js","/assets/page-B6fyNSwo.css","/assets/page-BA7D7lYG.js","/assets/page-BCTH1AJd.js","/assets/page-BItunvTe.js","/assets/page-BKdSmwz-.css","/assets/page-BMoEb_DA.js","/assets/page-BRcEifoo.css","/assets/page-BVBDUF3H.js","/assets/page-BVcj_PWu.css","/assets/page-BVd4gBUU.css","/assets/page-BXzV87fy.css","/assets/page-BZ5LCRoG.js","/assets/page-BaXSXWGi.css","/assets/page-BfmWBKMt.js","/assets/page-Bj5j7-Ep.css","/assets/page-BjrN6RQg.js","/assets/page-Bmt19oGK.js","/assets/page-BnPWiCKp.js","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-C-5bxUXn.js","/assets/page-C1tFUTO4.css","/assets/page-C261XKb_.js","/assets/page-C2NZ0l7H.css","/assets/page-CB3EjWiT.css","/assets/page-CIVpHxEy.js","/assets/page-CLF7_-L1.js","/assets/page-CNNdEFn6.css","/assets/page-CN_uRqyu.js","/assets/page-COpnuoeV.css","/assets/page-CPi2fDW6.css","/assets/page-CX73dyid.css","/assets/page-CaIuNWXv.js","/assets/page-CakPq46B.js","/assets/page-ChSzPtca.js","/assets/page-CnO9feTM.css","/assets/page-Ct-rdxJ_.css","/assets/page-CuoXUyb5.js","/assets/page-D4gx-bK-.js","/assets/page-D98m9Wc8.js","/assets/page-DFoWF6Zx.css","/assets/page-DMMfmeFh.js","/assets/page-DMx5Cke9.js","/assets/page-DRdi2_hY.css","/assets/page-DUCvn0Tu.css","/assets/page-DUgQDI1V.css","/assets/page-DX9iEV8E.css","/assets/page-DXuPhE9C.js","/assets/page-D_bXGTth.js","/assets/page-DbbYhPlh.css","/assets/page-Ddx4cSjC.js","/assets/page-DgY-O7tG.css","/assets/page-DiUiMNJ1.js","/assets/page-Doz3oEvn.js","/assets/page-Dq2H1fuH.css","/assets/page-DshBa7vN.css","/assets/page-DvsZ9oWX.js","/assets/page-DytPf2Qr.css","/assets/page-DyzFG66r.css","/assets/page-EjKATxdZ.js","/assets/page-Hmdx0cuD.js","/assets/page-JvyciwUk.js","/assets/page-LOjKWx_G.js","/assets/page-M8xf0kJw.css","/assets/page-Mrm33s3_.js","/assets/page-Rsgj9YDO.js","/assets/page-ZuvWl4-g.css","/assets/page-gqbdekKB.css","/assets/page-l0UKrqOv.js","/assets/page-qqDZaCiw.css","/assets/page-zmcgIgtP.css","/assets/paged-CBZqjuRT.css","/assets/paged.svelte-DzzSSgQs.js","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/plot-GJ90g5Rt.js","/assets/polling-BukXlHg4.js","/assets/program-BYnHR94c.js","/assets/program-BqxwWMNp.css","/assets/reactive.svelte-CwyMdwI_.js","/assets/refresh-CTu1RLO6.js","/assets/render-BIJ75yH1.js","/assets/rolldown-runtime-XKyaHtl9.js","/assets/shared-BrvTYiVZ.js","/assets/shared-gExHOxBF.css","/assets/sightings.svelte-BdmicqIV.js","/assets/snippet-BLOTeE1p.js","/assets/svelte-DaIKgi6p.js","/assets/this-device-CFUE2v_P.js","/assets/words-DHPapnL6.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js","/","/start.js"]');
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
