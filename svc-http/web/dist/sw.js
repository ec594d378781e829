// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-9dad70b3ea4b9c73';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-CLPQQCVg.js","/assets/FirstAgent-BTNwm3Ll.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-Pv4acE7z.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-CPSP7kCE.js","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-nHB6gj1R.js","/assets/Pages-E68FlV8Y.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-BYuY73Cj.js","/assets/SaveText-BuvTvRLA.js","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-lT6-aSac.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-CU6LHy7_.js","/assets/TraceBrowser-Cfbowwol.js","/assets/TraceBrowser-di-ClXyF.css","/assets/first-run.svelte-DsjnRdc1.js","/assets/index-BPk_DPR2.css","/assets/index-rXFHO9bY.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-DTDvWtjs.css","/assets/messages-DVjPGbDS.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-B6yDlnEu.css","/assets/page-BIto1URE.js","/assets/page-BKUVxkOK.css","/assets/page-BVcj_PWu.css","/assets/page-BavQzbKE.js","/assets/page-BdqDpys3.js","/assets/page-BnOxwY1T.css","/assets/page-ByGyDFPV.js","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-C-uJ0dJA.js","/assets/page-C0pQcGQ_.css","/assets/page-CHJ6TGZi.css","/assets/page-CICQQU1f.js","/assets/page-CLTfR1me.js","/assets/page-CL_RHPD5.css","/assets/page-Csgayhd6.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-D-0YVWO4.js","/assets/page-D8mve7cP.js","/assets/page-DBCi58BS.js","/assets/page-DCdC3AM8.css","/assets/page-DE9v8Wxs.css","/assets/page-DHahfY1v.js","/assets/page-DOt8b5tZ.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-DyZ81lzj.css","/assets/page-NsNhG0CZ.js","/assets/page-fs5RCnPS.js","/assets/page-g6bHr7p2.js","/assets/page-nuxo3WbM.js","/assets/page-o3BuTIpt.js","/assets/page-qqDZaCiw.css","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-D6ZGsctB.css","/assets/program-wK2NJXUh.js","/assets/reactive.svelte-BVtoi1aY.js","/assets/render-9PEV09VW.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js","/assets/sightings.svelte-OXwFAJzw.js","/assets/svelte-AsUx-EaU.js","/assets/words-C1PxlVQj.js","/","/start.js"]');
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
