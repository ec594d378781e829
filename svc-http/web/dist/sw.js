// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-25084490ffc22ecd';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-_pJaylCP.js","/assets/FirstAgent-DyhZp_X-.css","/assets/FirstAgent-E9f8lfCO.js","/assets/Help-BI6YQmf5.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-D6exxyKR.js","/assets/KeyOnce-Lc0tVVnv.js","/assets/KeyOnce-NWqIrhss.css","/assets/Pages-BHV1F9U2.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-D2Y05z08.js","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-CsurjF8U.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-BWUOlcpC.js","/assets/TraceBrowser-DqrEt2vH.js","/assets/TraceBrowser-di-ClXyF.css","/assets/first-run.svelte-CaINot2-.js","/assets/index-BPk_DPR2.css","/assets/index-Bqhap1cS.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-DIs240a9.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-4RIpGn-e.js","/assets/page-B6yDlnEu.css","/assets/page-BAUG7Bj5.js","/assets/page-BKUVxkOK.css","/assets/page-BVcj_PWu.css","/assets/page-Bn3FNogg.js","/assets/page-BnOxwY1T.css","/assets/page-BvsFTw4h.js","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-BzVr4GAp.js","/assets/page-CL_RHPD5.css","/assets/page-CZlhjbzn.js","/assets/page-CflX3j77.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-D2PC1gzr.js","/assets/page-DCdC3AM8.css","/assets/page-DDhDD7qD.js","/assets/page-DE9v8Wxs.css","/assets/page-DOvmnOnm.js","/assets/page-DQWZgAg7.js","/assets/page-DX8OxopH.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-WDUocJ9t.js","/assets/page-ZkSHAsPm.css","/assets/page-fLqjvFPa.js","/assets/page-mQewzB_I.js","/assets/page-pgilhgU0.js","/assets/page-qqDZaCiw.css","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-D6ZGsctB.css","/assets/program-DwSiVGpT.js","/assets/render-9PEV09VW.js","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js","/assets/sightings.svelte-CWb2yjmB.js","/assets/svelte-AsUx-EaU.js","/","/start.js"]');
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
