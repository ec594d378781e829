// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-3d53806b35f6640f';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-BXmvQMO7.css","/assets/Connect-DhvUICU7.js","/assets/FirstAgent-B8kU5ApY.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-DCYskUch.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-BcL4lTRF.js","/assets/KeyOnce-DMUgxsZt.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-CJxbPHzP.css","/assets/LoopNote-Cfyrz9gY.js","/assets/Pages-DTSL9vol.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-DkFDhhRk.js","/assets/SaveText-CvJZr-Cq.js","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-Dmmda1fi.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-DnlHoRZr.js","/assets/TraceBrowser-6gClFQH9.js","/assets/TraceBrowser-di-ClXyF.css","/assets/first-run.svelte-hMycPzn8.js","/assets/index-BPk_DPR2.css","/assets/index-DC0ejmG-.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-DTDvWtjs.css","/assets/messages-W38uNWCX.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-3aNww8a9.css","/assets/page-B098XXQR.js","/assets/page-B6yDlnEu.css","/assets/page-BKUVxkOK.css","/assets/page-BQxxXxXC.js","/assets/page-BSXNTwr4.css","/assets/page-BVcj_PWu.css","/assets/page-BWniSYIt.js","/assets/page-Bc0Dwu99.js","/assets/page-BnOxwY1T.css","/assets/page-Bnnztg1O.js","/assets/page-BrKSFnnu.js","/assets/page-BvK6LvZV.js","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-C2NZ0l7H.css","/assets/page-CDs1k4VE.js","/assets/page-CL_RHPD5.css","/assets/page-CQXvOcyO.js","/assets/page-CmVW7hlo.js","/assets/page-CoFSeUO9.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-CvfgxYms.js","/assets/page-D3YwG1bN.css","/assets/page-DCdC3AM8.css","/assets/page-DE9v8Wxs.css","/assets/page-DlfNfL2T.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-Dzy-uUzU.js","/assets/page-GhnNJsOf.js","/assets/page-PNBsMUf9.js","/assets/page-WOLbbFKa.js","/assets/page-X1FVjOpw.js","/assets/page-cVrSTYqA.js","/assets/page-qqDZaCiw.css","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-BFB3Pysy.js","/assets/program-D6ZGsctB.css","/assets/reactive.svelte-cjqNb3v_.js","/assets/render-9PEV09VW.js","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css","/assets/sightings.svelte-Bp7oAsKO.js","/assets/svelte-AsUx-EaU.js","/assets/words-C-b0BohH.js","/assets/words-C0Nd8D2a.js","/","/start.js"]');
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
