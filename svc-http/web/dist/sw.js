// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-25f40097ecb811b5';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-BrNVn8gP.js","/assets/FirstAgent-DOgHsGuW.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-5IcFXudM.js","/assets/KeyList-B79_faTp.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-DTZcXmav.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-CEcqxFPK.js","/assets/Pages-C6lyAA4C.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-JVlRgpxO.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/RunTableFrame-MIw6QKk-.js","/assets/SaveText-Dlh-GIIZ.js","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-CO-Bl3qu.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-EsOX-DBY.js","/assets/TraceBrowser-DV7_HNzK.js","/assets/TraceBrowser-di-ClXyF.css","/assets/first-run.svelte-FngIPN_-.js","/assets/index-B4wclOSl.js","/assets/index-BPk_DPR2.css","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-DTDvWtjs.css","/assets/messages-Dzur2mBt.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-2DwH7wsJ.js","/assets/page-B6yDlnEu.css","/assets/page-BKUVxkOK.css","/assets/page-BTxW3tV7.js","/assets/page-BVcj_PWu.css","/assets/page-BYq7F2KL.js","/assets/page-BnOxwY1T.css","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-C0JfxKjy.js","/assets/page-C1tFUTO4.css","/assets/page-C2NZ0l7H.css","/assets/page-CBwq3kAg.js","/assets/page-CFVGny-k.js","/assets/page-CGMIIfxw.js","/assets/page-CGRhg9wJ.js","/assets/page-CL_RHPD5.css","/assets/page-Ct-rdxJ_.css","/assets/page-Ct0OLQ7i.js","/assets/page-CvZt-Sgk.css","/assets/page-DCdC3AM8.css","/assets/page-DE9v8Wxs.css","/assets/page-DUCvn0Tu.css","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-DyVfZOlp.js","/assets/page-DzPuRHRy.js","/assets/page-GrevhlA5.js","/assets/page-Ov_BrP85.js","/assets/page-SXol-uhT.js","/assets/page-TFxbnwuE.js","/assets/page-TapdRjPD.js","/assets/page-ZuvWl4-g.css","/assets/page-pyZOJC_V.js","/assets/page-qqDZaCiw.css","/assets/page-xf0AZzyO.js","/assets/page-yaK-4fLL.js","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/polling-BukXlHg4.js","/assets/program-CUmoHZ-y.js","/assets/program-D6ZGsctB.css","/assets/render-9PEV09VW.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js","/assets/sightings.svelte-Cx7UpOvz.js","/assets/svelte-BLg2ue9L.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js","/","/start.js"]');
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
