// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-a0295477d1538838';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-C3E8j1iP.js","/assets/FirstAgent-BGKBRhoP.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-DgkjvmqW.js","/assets/KeyList-Cvae3CZQ.css","/assets/KeyList-DOmmPMi-.js","/assets/KeyOnce-BjgaqTJE.js","/assets/KeyOnce-NWqIrhss.css","/assets/Pages-Dcs2UDMw.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-C0Ud7xzd.js","/assets/ShortcutList-1NJcE5vA.css","/assets/ShortcutList-CSTiNrgT.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-C0uADtd7.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/TraceBrowser-DtG_vEnI.js","/assets/first-run.svelte-BVqz377L.js","/assets/index-BVWWYW19.js","/assets/index-DOz7tUmG.css","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-DdvhBjw9.js","/assets/messages-EjpmpxVV.css","/assets/own-query.svelte-Crl18I0i.js","/assets/page-7eHfdigi.js","/assets/page-7qmumING.css","/assets/page-B1oGGSE8.js","/assets/page-B4SgyNBW.js","/assets/page-BKUVxkOK.css","/assets/page-BTcP6-nn.js","/assets/page-BVcj_PWu.css","/assets/page-BWYDbWmi.css","/assets/page-BbXRv7FV.js","/assets/page-BjwdJDmZ.css","/assets/page-BykSYtqH.css","/assets/page-C-sNhNzu.js","/assets/page-C1s_zaca.js","/assets/page-C35lsv2E.js","/assets/page-CC3vqW8T.js","/assets/page-CGawr0Lb.css","/assets/page-CJf3SxwD.js","/assets/page-CL_RHPD5.css","/assets/page-CNsRZzB1.js","/assets/page-CU2fel3Z.js","/assets/page-Ct-rdxJ_.css","/assets/page-DXZdwrW6.css","/assets/page-DZGxfEBs.js","/assets/page-DZZyyzYc.css","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-DwX31WC7.js","/assets/page-IlQ2D_i2.js","/assets/page-QCrcOJXH.css","/assets/page-qqDZaCiw.css","/assets/page-wBSYQxbT.js","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-AFnukQgh.css","/assets/program-CU99QvDc.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js","/assets/sightings.svelte-BLn_60LY.js","/assets/svelte-DWHmax3f.js","/","/start.js"]');
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
