// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-9f6896181296065b';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-Bz4Qasct.js","/assets/FirstAgent-B1rz3VJq.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-fBV5Xk7s.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-BXB-bfRF.js","/assets/KeyOnce-C9KeMd7B.js","/assets/KeyOnce-NWqIrhss.css","/assets/Pages-BRitvWO8.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-DWjR3OKW.js","/assets/ShortcutList-1NJcE5vA.css","/assets/ShortcutList-C01cDs59.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-Bj71aCpD.js","/assets/TraceBrowser-B6MwlkoG.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/first-run.svelte-B9E0W9lL.js","/assets/index-BPk_DPR2.css","/assets/index-C_M4QB34.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-DTDvWtjs.css","/assets/messages-KRhBMhqO.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-B5eZlQCo.js","/assets/page-BKUVxkOK.css","/assets/page-BL-UxJtM.js","/assets/page-BL2zgTmU.css","/assets/page-BPGUzTQP.js","/assets/page-BTPulh0z.js","/assets/page-BVcj_PWu.css","/assets/page-BnOxwY1T.css","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-C23Yqj5v.js","/assets/page-CFZzifCn.js","/assets/page-CH62dl1S.js","/assets/page-CL_RHPD5.css","/assets/page-CTHcWC_7.js","/assets/page-CoHQ0Oqc.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-DCdC3AM8.css","/assets/page-DE9v8Wxs.css","/assets/page-DHLwabuK.js","/assets/page-DZZyyzYc.css","/assets/page-D_NQvu7A.js","/assets/page-D_pIEP-k.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-Wr0tMeph.js","/assets/page-XpGA7rWz.js","/assets/page-g--XfwVL.js","/assets/page-qqDZaCiw.css","/assets/page-s0aWW7iA.js","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-Bvfh5OD2.js","/assets/program-Nn7mN6Y-.css","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js","/assets/sightings.svelte-BW_g5PNu.js","/assets/svelte-AsUx-EaU.js","/","/start.js"]');
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
