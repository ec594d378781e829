// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-0fe79d68eeb77e9e';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-Cwlpugie.js","/assets/FirstAgent-DyhZp_X-.css","/assets/FirstAgent-xigHDrng.js","/assets/Help-C4d8-vda.js","/assets/KeyList-14rdLjlG.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-Dry0aR5f.js","/assets/KeyOnce-NWqIrhss.css","/assets/Pages-BfDgqv_Y.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-nhzyjhbe.js","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-CSbz3yvF.js","/assets/SpanPicker-7731IhFE.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/TraceBrowser-D0l1m318.js","/assets/TraceBrowser-di-ClXyF.css","/assets/first-run.svelte-CiKgaJCs.js","/assets/index-BPk_DPR2.css","/assets/index-T7xAvjr5.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-DTDvWtjs.css","/assets/messages-DZqYLYKj.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-5ybllmzZ.js","/assets/page-B2ISuMvv.js","/assets/page-B6yDlnEu.css","/assets/page-BKUVxkOK.css","/assets/page-BNXqH-p7.js","/assets/page-BSmGM7qz.js","/assets/page-BU_P6JmI.js","/assets/page-BVcj_PWu.css","/assets/page-BnOxwY1T.css","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-CL_RHPD5.css","/assets/page-CRn7uVaX.js","/assets/page-CgXeBnWt.js","/assets/page-ChLqP4M9.js","/assets/page-ChXpJfdR.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-DCdC3AM8.css","/assets/page-DE9v8Wxs.css","/assets/page-DXQi4XGH.css","/assets/page-DocqDnF5.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-EXGR9YDp.js","/assets/page-IlQuRcIa.js","/assets/page-J78GxhqB.js","/assets/page-Slv4-rXq.js","/assets/page-_iC2E0jk.js","/assets/page-qqDZaCiw.css","/assets/page-rfrUSd8K.js","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-D6ZGsctB.css","/assets/program-Dd_pv7ED.js","/assets/render-9PEV09VW.js","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js","/assets/sightings.svelte-mpqhIro_.js","/assets/svelte-AsUx-EaU.js","/","/start.js"]');
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
