// The service worker: it keeps the program (never data), so that the page opens without a connection, and shows
// notifications that the server pushes.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-7185682733e49455';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/AdminPage-B6Aq0tpq.js","/assets/AdminTabs-mMumyWGk.js","/assets/ArticleText-0DBCmBs2.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/Connect-6nBBRDQu.js","/assets/Connect-BXmvQMO7.css","/assets/DiffView-5CwkSf0o.js","/assets/DiffView-DWDKp8eZ.css","/assets/EditorView-DYl_HvkI.css","/assets/EditorView-DkrekxYv.js","/assets/FirstAgent-DyhZp_X-.css","/assets/FirstAgent-RcEQqQTT.js","/assets/Help-bDkeoe_V.js","/assets/InviteDialog-BevCVC0R.css","/assets/InviteDialog-CfnadBPC.js","/assets/KeyList-Bz_p3U3G.js","/assets/KeyList-Cvae3CZQ.css","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-ekDuscqj.js","/assets/LevelMenu-uK_0PyNR.js","/assets/LoopNote-D0Cg_lqz.js","/assets/NoteDialog-DrRUoceL.js","/assets/Notifications-2vqxZcBz.css","/assets/Notifications-PqgNhr23.js","/assets/Pages-BYhocxQP.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-P375GrYb.js","/assets/PasswordDialog-DZih25fR.css","/assets/PasswordDialog-dQB8UbnS.js","/assets/ProvideSecretDialog-C7myy7NH.js","/assets/ProvideSecretDialog-DRfOT4Kb.css","/assets/RestoreDialog-B9BZNHRJ.js","/assets/RunTableFrame-BPE0y9Il.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/SaveText-DcKfKDcS.js","/assets/ShortcutList-BJ5tfv4_.js","/assets/ShortcutList-CLtID7bx.css","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-BLSpchYl.js","/assets/SpendBars-BuERY7Dq.js","/assets/SpendBars-Dj7jD8m-.css","/assets/TraceBrowser-DyuPcdw9.js","/assets/TraceBrowser-di-ClXyF.css","/assets/VerifyDialog-Da1xx6o8.js","/assets/WorkerTable-Cum-XDtc.js","/assets/WorkerTable-DbLOYlIc.css","/assets/api-DelQfoxP.js","/assets/browser-name-BbOCq1Sm.js","/assets/completion-CMML3_c_.js","/assets/first-run.svelte-D2n42rLn.js","/assets/index-BPk_DPR2.css","/assets/index-ClajrW3z.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-CYZ3HlID.js","/assets/messages-NYAj4ytO.css","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-0fSN6hdM.js","/assets/page-55ysOf7F.js","/assets/page-B2VpD1Z4.js","/assets/page-B6yDlnEu.css","/assets/page-B7tM456i.js","/assets/page-B9AFjCOm.js","/assets/page-BKUVxkOK.css","/assets/page-BKdSmwz-.css","/assets/page-BQFvoOFU.js","/assets/page-BRyrMzUA.js","/assets/page-BSR2l5os.js","/assets/page-BVcj_PWu.css","/assets/page-BaXSXWGi.css","/assets/page-Ba_F5LZz.css","/assets/page-Bj5j7-Ep.css","/assets/page-Bjfg48X7.js","/assets/page-BnOxwY1T.css","/assets/page-BnlLJqOj.js","/assets/page-BouWOX2H.js","/assets/page-Bx0VHPgG.js","/assets/page-BykSYtqH.css","/assets/page-ByxnUV91.js","/assets/page-Bz-4XLCD.css","/assets/page-C1tFUTO4.css","/assets/page-C2NZ0l7H.css","/assets/page-CB3EjWiT.css","/assets/page-CDvH-PVN.js","/assets/page-CL_RHPD5.css","/assets/page-CM_GNc7L.js","/assets/page-CNNdEFn6.css","/assets/page-CWULv593.js","/assets/page-CYfFsGOF.js","/assets/page-CffIibYi.js","/assets/page-CnO9feTM.css","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-DCeLfkJe.js","/assets/page-DCi5bvRu.js","/assets/page-DDpifQX0.css","/assets/page-DGlE6iW4.js","/assets/page-DLLYjZr6.js","/assets/page-DRxJR5Qj.js","/assets/page-DUCvn0Tu.css","/assets/page-D_cYwL2Q.js","/assets/page-D_sAgI8p.js","/assets/page-DbbYhPlh.css","/assets/page-Df5c9UEJ.js","/assets/page-Doux9eey.js","/assets/page-Dq2H1fuH.css","/assets/page-DrVhzpHK.js","/assets/page-DsJZnIQQ.js","/assets/page-DshBa7vN.css","/assets/page-DxJ6XObd.js","/assets/page-DytPf2Qr.css","/assets/page-DyzFG66r.css","/assets/page-ZuvWl4-g.css","/assets/page-bZUph3Xt.js","/assets/page-gqbdekKB.css","/assets/page-nyCTCRTQ.js","/assets/page-pSOmjeEd.js","/assets/page-qqDZaCiw.css","/assets/page-yQdcNu7j.css","/assets/paged-CBZqjuRT.css","/assets/paged.svelte-CN8Lq32X.js","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/plot-GJ90g5Rt.js","/assets/polling-BukXlHg4.js","/assets/program-Bu1PaMIB.js","/assets/program-m655OIBw.css","/assets/reactive.svelte-D9oZQcWB.js","/assets/refresh-cFe7O8Cq.js","/assets/render-B99AvhV2.js","/assets/shared-DQ6JHP0H.css","/assets/shared-DgylEimN.js","/assets/sightings.svelte-Co_gqNst.js","/assets/slug-BjxWEpne.js","/assets/snippet-D3nmhslD.js","/assets/svelte-CKdLaMX6.js","/assets/this-device-DGQltpQ8.js","/assets/words-DQk7nart.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js","/","/start.js"]');
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
