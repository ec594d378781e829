// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-7a9bfccd2f9715c6';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-cqnYfli_.js","/assets/FirstAgent-DyhZp_X-.css","/assets/FirstAgent-r1pYWMHl.js","/assets/Help-By0E_p9f.js","/assets/KeyList-BSHO2jk2.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-BqEzq_uX.js","/assets/KeyOnce-NWqIrhss.css","/assets/Pages-OhiWWVB3.css","/assets/Pages-fXPItTot.js","/assets/Palette-BFuQgLsB.css","/assets/Palette-BjN_y9BS.js","/assets/ShortcutList-1NJcE5vA.css","/assets/ShortcutList-Bas89AZg.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-DKaM-9KZ.js","/assets/TraceBrowser-B_GOudEz.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/first-run.svelte-D8Z3tvcF.js","/assets/index-BN2V2s8L.js","/assets/index-BPk_DPR2.css","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-CHmkUlmw.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-B41ba5Cl.js","/assets/page-BDmC0W2U.js","/assets/page-BG6gSinC.js","/assets/page-BKUVxkOK.css","/assets/page-BL2zgTmU.css","/assets/page-BVcj_PWu.css","/assets/page-BnOxwY1T.css","/assets/page-By3IbZgp.js","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-C8Nqpttt.js","/assets/page-CBxAgShK.js","/assets/page-CH-QDASM.js","/assets/page-CL_RHPD5.css","/assets/page-COaOazI3.js","/assets/page-CR3lO1kK.js","/assets/page-CgcrEzgG.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-CwFvtFmv.js","/assets/page-DCdC3AM8.css","/assets/page-DE9v8Wxs.css","/assets/page-DPBJvWFS.js","/assets/page-DZZyyzYc.css","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DrY8TiYc.js","/assets/page-DshBa7vN.css","/assets/page-Qd2UlpT_.js","/assets/page-TPOEH65-.js","/assets/page-VAfB7ZQX.js","/assets/page-qqDZaCiw.css","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-M07jqU02.js","/assets/program-Nn7mN6Y-.css","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js","/assets/sightings.svelte-BmSvx5gP.js","/assets/svelte-AsUx-EaU.js","/","/start.js"]');
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
