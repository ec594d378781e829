// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-fe136dc4bb4bac1e';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-r6_Ogpj-.js","/assets/FirstAgent-DyhZp_X-.css","/assets/FirstAgent-LVueYG_z.js","/assets/Help-BaE4pvY-.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-DL5JYIja.js","/assets/KeyOnce-CJeGApo_.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-6aOi1L5z.js","/assets/LoopNote-CJxbPHzP.css","/assets/Pages-BiWnK34e.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-aJhurESy.js","/assets/SaveText-Ctv8KQlm.js","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-ko6d3AMQ.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-CG1zBt9n.js","/assets/TraceBrowser-BKSji5Ki.js","/assets/TraceBrowser-di-ClXyF.css","/assets/first-run.svelte-CA7q0euh.js","/assets/index-BPk_DPR2.css","/assets/index-DLclvBpg.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-DTDvWtjs.css","/assets/messages-L4KrLBQX.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-3aNww8a9.css","/assets/page-B6yDlnEu.css","/assets/page-BAZpyL5R.js","/assets/page-BDjeSGpD.js","/assets/page-BKUVxkOK.css","/assets/page-BNonxqct.js","/assets/page-BSXNTwr4.css","/assets/page-BVcj_PWu.css","/assets/page-BnOxwY1T.css","/assets/page-Br9A9VJp.js","/assets/page-Bu1pTlnV.js","/assets/page-BwiMu4CV.js","/assets/page-BxXvhppI.js","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-C2NZ0l7H.css","/assets/page-CL_RHPD5.css","/assets/page-CSw6cjhl.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-D3YwG1bN.css","/assets/page-D9s0xspJ.js","/assets/page-DCdC3AM8.css","/assets/page-DE9v8Wxs.css","/assets/page-DPZM92tq.js","/assets/page-DThZAftg.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-DtOQTz94.js","/assets/page-EGUnzUFC.js","/assets/page-I5_FI-Xu.js","/assets/page-MIrfk9xN.js","/assets/page-X1-v--MM.js","/assets/page-oH4xMXd8.js","/assets/page-pWYdiSzM.js","/assets/page-qqDZaCiw.css","/assets/page-zqLSaS8c.js","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-D6ZGsctB.css","/assets/program-DRbDsGeo.js","/assets/reactive.svelte-BSFwQQR2.js","/assets/render-9PEV09VW.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css","/assets/sightings.svelte-BJGcxXP8.js","/assets/svelte-AsUx-EaU.js","/assets/words-C-b0BohH.js","/assets/words-C0Nd8D2a.js","/","/start.js"]');
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
