// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-2a5bb37b5d7536fe';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-DzcksShC.js","/assets/FirstAgent-DyhZp_X-.css","/assets/FirstAgent-nny8Jonv.js","/assets/Help-PR9UCGpN.js","/assets/KeyList-ALz--EOI.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-DnbpAnwO.js","/assets/KeyOnce-NWqIrhss.css","/assets/Pages-BpOxMqUR.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-CpVKpo8p.js","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-Cp1nX0Sq.js","/assets/SpanPicker-8enpiSVM.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/TraceBrowser-DP5218As.js","/assets/TraceBrowser-di-ClXyF.css","/assets/first-run.svelte-C7YOZryx.js","/assets/index-BPk_DPR2.css","/assets/index-DKX8k2g0.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-DEOSGOSr.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-AuapLtSp.js","/assets/page-B2rrtQ_W.js","/assets/page-B6vZX3O9.js","/assets/page-B6yDlnEu.css","/assets/page-BKUVxkOK.css","/assets/page-BVcj_PWu.css","/assets/page-BfB5H5K5.js","/assets/page-Bl1wsI7D.js","/assets/page-BnOxwY1T.css","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-C67WYbQR.js","/assets/page-CL_RHPD5.css","/assets/page-CNQHkiL-.js","/assets/page-CP9AaN95.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-DB-DAn3F.js","/assets/page-DCdC3AM8.css","/assets/page-DE9v8Wxs.css","/assets/page-DZGQNuql.js","/assets/page-DZZyyzYc.css","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DqsXhyN1.js","/assets/page-DshBa7vN.css","/assets/page-Dxg-_HNH.js","/assets/page-QnoJ6kbv.js","/assets/page-V-yNmlND.js","/assets/page-iggWCf0j.js","/assets/page-kJvYQfjf.js","/assets/page-qqDZaCiw.css","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-D6ZGsctB.css","/assets/program-DF5kMx8A.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js","/assets/sightings.svelte-CWcRfxlu.js","/assets/svelte-AsUx-EaU.js","/","/start.js"]');
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
