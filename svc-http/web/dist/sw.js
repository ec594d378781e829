// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-92dbf30a3a439ab7';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-C3_ZSSva.js","/assets/FirstAgent-CL7mmJX4.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-DHZVt1Ij.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-CTtgavNd.js","/assets/KeyOnce-BVKOro79.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-D-BkBx8J.js","/assets/Pages-BEa19w6c.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-BVjTUP2s.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/RunTableFrame-DI3ow1r2.js","/assets/SaveText-BnPyj81g.js","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-CawdLwhB.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-piV6efwN.js","/assets/TraceBrowser-BNKzl665.js","/assets/TraceBrowser-di-ClXyF.css","/assets/first-run.svelte-DdtX1IBc.js","/assets/index-BPk_DPR2.css","/assets/index-DBxfbWGW.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-C99yBb45.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-5vbb_zMU.js","/assets/page-AO4hfPhS.js","/assets/page-B55cP_K1.js","/assets/page-B6yDlnEu.css","/assets/page-BIPgw8z4.js","/assets/page-BKUVxkOK.css","/assets/page-BOzXBvM5.js","/assets/page-BPAg4fMY.js","/assets/page-BVcj_PWu.css","/assets/page-BkmyScWW.js","/assets/page-BmugFWnx.js","/assets/page-BnOxwY1T.css","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-C-EuzrNV.js","/assets/page-C0MLE0zc.js","/assets/page-C1tFUTO4.css","/assets/page-C2NZ0l7H.css","/assets/page-C7uIX-Z2.js","/assets/page-CJiIcLgs.js","/assets/page-CL_RHPD5.css","/assets/page-CQTacPQa.js","/assets/page-CR9zz1zz.js","/assets/page-Cm_827si.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-D5Fcx389.js","/assets/page-DAEjkTFM.js","/assets/page-DCdC3AM8.css","/assets/page-DE9v8Wxs.css","/assets/page-DUCvn0Tu.css","/assets/page-DavDPhpZ.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-ZuvWl4-g.css","/assets/page-qqDZaCiw.css","/assets/page-yTUYgeTF.js","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/polling-BukXlHg4.js","/assets/program-BXIYzZwd.js","/assets/program-D6ZGsctB.css","/assets/render-9PEV09VW.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js","/assets/sightings.svelte-DphCTEWA.js","/assets/svelte-BLg2ue9L.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js","/","/start.js"]');
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
