// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-55c2e0199ffa989d';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-B3oR0CFa.js","/assets/Connect-BXmvQMO7.css","/assets/FirstAgent-DTpkvzpd.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-CRhqbiUG.js","/assets/KeyList-BLI1Xw8k.js","/assets/KeyList-Cvae3CZQ.css","/assets/KeyOnce-CsnSP3q6.js","/assets/KeyOnce-NWqIrhss.css","/assets/Pages-C64wVIGp.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-D14zrUyN.js","/assets/ShortcutList-1NJcE5vA.css","/assets/ShortcutList-wP1ffsu4.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-CuzI3kxC.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/TraceBrowser-JqygSmDw.js","/assets/first-run.svelte-zEsGrMyD.js","/assets/index-BPk_DPR2.css","/assets/index-CtvUCylM.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-D4ATLZnz.js","/assets/messages-D8y9-GE8.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-7qmumING.css","/assets/page-B0wwVRJx.js","/assets/page-B4nuNDvF.js","/assets/page-BKUVxkOK.css","/assets/page-BVcj_PWu.css","/assets/page-BWYDbWmi.css","/assets/page-BXz-ougV.js","/assets/page-BgepmAiu.js","/assets/page-BhhLmUu1.js","/assets/page-BjwdJDmZ.css","/assets/page-BykSYtqH.css","/assets/page-CDMEInGY.js","/assets/page-CGawr0Lb.css","/assets/page-CL_RHPD5.css","/assets/page-Cc24il0r.js","/assets/page-Ct-rdxJ_.css","/assets/page-Cye9PMh7.js","/assets/page-CzviLWPB.js","/assets/page-DBJIXYA-.js","/assets/page-DF7pMtjW.js","/assets/page-DXZdwrW6.css","/assets/page-DZZyyzYc.css","/assets/page-DeUCdBdf.js","/assets/page-Dq2H1fuH.css","/assets/page-DqhOn6fO.js","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-QCrcOJXH.css","/assets/page-eQki9oAl.js","/assets/page-ovQ4WvBH.js","/assets/page-qqDZaCiw.css","/assets/page-w0LL0m6K.js","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/program-BbfkaMRf.css","/assets/program-DVlz52kj.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js","/assets/sightings.svelte-CJX7FyGD.js","/assets/svelte-AsUx-EaU.js","/","/start.js"]');
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
