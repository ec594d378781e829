// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-67f157621fd5b767';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-BY5u31Rd.js","/assets/FirstAgent-DiomrjxF.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-BFgDJELZ.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-DCDtnMsx.js","/assets/KeyOnce-8ElV-iuJ.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-B3Gp3tUc.js","/assets/LoopNote-CJxbPHzP.css","/assets/Pages-OhiWWVB3.css","/assets/Pages-orLh18Pw.js","/assets/Palette-BFuQgLsB.css","/assets/Palette-DxHD5Y54.js","/assets/SaveText-D9oURJRW.js","/assets/ShortcutList-BqCtr-bz.js","/assets/ShortcutList-CLtID7bx.css","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-ZDfyJ6zh.js","/assets/TraceBrowser-aO7R1KDg.js","/assets/TraceBrowser-di-ClXyF.css","/assets/first-run.svelte-DBfBFj8e.js","/assets/index-BPk_DPR2.css","/assets/index-DWRRKTDr.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-CYxRYOpC.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-3aNww8a9.css","/assets/page-B3-itWY1.js","/assets/page-B6yDlnEu.css","/assets/page-BKUVxkOK.css","/assets/page-BTGHnHAQ.js","/assets/page-BVcj_PWu.css","/assets/page-BnOxwY1T.css","/assets/page-BupUjqYT.js","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-C2NZ0l7H.css","/assets/page-CIOIkfAI.js","/assets/page-CKWVaC0Z.js","/assets/page-CLA3dNEB.js","/assets/page-CL_RHPD5.css","/assets/page-CR_23_rV.js","/assets/page-CdZeNqd_.js","/assets/page-CiQ4i5zM.js","/assets/page-Cn0Btb8e.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-CyGyuUws.js","/assets/page-D22puyhB.css","/assets/page-D3i3r2-l.js","/assets/page-DCdC3AM8.css","/assets/page-DCvMpjc_.js","/assets/page-DE9v8Wxs.css","/assets/page-DHBFLQuW.js","/assets/page-DNlNjSUb.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DqvjZ7y4.js","/assets/page-DshBa7vN.css","/assets/page-Zo3JdWyu.js","/assets/page-_yUf7RHN.css","/assets/page-a0zhGavn.js","/assets/page-knjE35uU.js","/assets/page-qqDZaCiw.css","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-B9UnhLc9.js","/assets/program-D6ZGsctB.css","/assets/reactive.svelte-BYWGFVl7.js","/assets/render-9PEV09VW.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css","/assets/sightings.svelte-BlmMvX78.js","/assets/svelte-AsUx-EaU.js","/assets/words-CNlX_gO7.js","/assets/words-jFED77d7.js","/","/start.js"]');
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
