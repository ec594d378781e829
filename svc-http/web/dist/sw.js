// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-fe336516e3a46e29';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BRAXPycx.js","/assets/Connect-BXmvQMO7.css","/assets/FirstAgent-B9LDj939.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-C4kXvi1D.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-htwD-16v.js","/assets/KeyOnce-DSwsZE4v.js","/assets/KeyOnce-NWqIrhss.css","/assets/Pages-DukacRQG.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-CMBNLF66.js","/assets/ShortcutList-1NJcE5vA.css","/assets/ShortcutList-DD6iujyb.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-Bf75ch9B.js","/assets/TraceBrowser-C1j64lo4.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/first-run.svelte-DiZATMG8.js","/assets/index-BPk_DPR2.css","/assets/index-DtYy-FBQ.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-Brj-lg_y.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BKUVxkOK.css","/assets/page-BL2zgTmU.css","/assets/page-BN2_5mvj.js","/assets/page-BVcj_PWu.css","/assets/page-BnOxwY1T.css","/assets/page-Bo-vOQeC.js","/assets/page-BykSYtqH.css","/assets/page-Byy6Vp-G.js","/assets/page-Bz-4XLCD.css","/assets/page-CCxPL91t.js","/assets/page-CHFvlmHv.js","/assets/page-CIc8HH1n.js","/assets/page-CJrqAJ4n.js","/assets/page-CL_RHPD5.css","/assets/page-COb4tyvP.js","/assets/page-COr3JlYU.js","/assets/page-CjQ9iz5t.js","/assets/page-CpqmrLrE.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-D7cAlmdA.js","/assets/page-DCdC3AM8.css","/assets/page-DE9v8Wxs.css","/assets/page-DZZyyzYc.css","/assets/page-DjH4I4PH.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-O0U9sPG-.js","/assets/page-ZRiT1ibx.js","/assets/page-oP1qXcAG.js","/assets/page-qqDZaCiw.css","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-D6ZGsctB.css","/assets/program-DiSpiLNb.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js","/assets/sightings.svelte-BWXEGzx1.js","/assets/svelte-AsUx-EaU.js","/","/start.js"]');
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
