// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-824c4dc52baf3f40';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BGTAJg7e.js","/assets/Connect-BXmvQMO7.css","/assets/FirstAgent-D1XV6bVW.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-CqW29P4D.js","/assets/KeyList-CCTzvK7Q.js","/assets/KeyList-Cvae3CZQ.css","/assets/KeyOnce-DrCCn-zH.js","/assets/KeyOnce-NWqIrhss.css","/assets/Pages-OhiWWVB3.css","/assets/Pages-UqqX2agU.js","/assets/Palette-BFuQgLsB.css","/assets/Palette-cUQrwpb7.js","/assets/ShortcutList--gNIY2fc.js","/assets/ShortcutList-1NJcE5vA.css","/assets/SpanPicker-B8Zx18R0.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/TraceBrowser-BE4cbSYj.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/first-run.svelte-DWJwAqf8.js","/assets/index-DC1cTHgk.js","/assets/index-DOz7tUmG.css","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-EjpmpxVV.css","/assets/messages-UNyNwen-.js","/assets/own-query.svelte-Crl18I0i.js","/assets/page-4x4tgA28.js","/assets/page-7qmumING.css","/assets/page-B75pGYVx.js","/assets/page-BBeuQOYd.js","/assets/page-BKUVxkOK.css","/assets/page-BVcj_PWu.css","/assets/page-BWYDbWmi.css","/assets/page-BjwdJDmZ.css","/assets/page-BqcP9_Gv.js","/assets/page-BykSYtqH.css","/assets/page-C-5Av_Xk.js","/assets/page-CBHomUbz.js","/assets/page-CEmRacZW.js","/assets/page-CGawr0Lb.css","/assets/page-CIFLjOV0.js","/assets/page-CL_RHPD5.css","/assets/page-Ct-rdxJ_.css","/assets/page-CuIzuGxO.js","/assets/page-DWxYH_J5.js","/assets/page-DXZdwrW6.css","/assets/page-DZZyyzYc.css","/assets/page-Do7guukm.js","/assets/page-DppcNJTE.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-HxNziF7w.js","/assets/page-QCrcOJXH.css","/assets/page-etarnYDz.js","/assets/page-pM62IcHc.js","/assets/page-qqDZaCiw.css","/assets/page-zFoh4xwR.js","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-AFnukQgh.css","/assets/program-BSQIrq7Y.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js","/assets/sightings.svelte-Cp7j5b6e.js","/assets/svelte-DWHmax3f.js","/","/start.js"]');
  /** What the server draws or answers itself; everything else is the page. */
  const SERVER =
    /^\/(api|auth|oauth|mcp|login|device|pages|contracts|healthz|readyz|metrics|openapi\.json|\.well-known)(\/|$)/;

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
})();
