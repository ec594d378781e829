// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-23f10aae7aef7723';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Connect-5UpcvGF9.js","/assets/Connect-BXmvQMO7.css","/assets/FirstAgent-BmtjDkBx.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-Ce3TF8lp.js","/assets/KeyList-7beQc1oc.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-CuT9DDnr.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-C4eRqTzl.js","/assets/Pages-OhiWWVB3.css","/assets/Pages-raQud4Mn.js","/assets/Palette-BFuQgLsB.css","/assets/Palette-Qhh6dN9E.js","/assets/ProvideSecretDialog-DRfOT4Kb.css","/assets/ProvideSecretDialog-NrV38xF_.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/RunTableFrame-D9ovROJb.js","/assets/SaveText-DNITouzi.js","/assets/ShortcutList-B_ocwZfL.js","/assets/ShortcutList-CLtID7bx.css","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-Bav1U9GD.js","/assets/SpendBars-CKg06jPC.js","/assets/SpendBars-Dj7jD8m-.css","/assets/TraceBrowser-0v-EgyQX.js","/assets/TraceBrowser-di-ClXyF.css","/assets/api-CpuBZur9.js","/assets/first-run.svelte-RbUTruVR.js","/assets/index-BPk_DPR2.css","/assets/index-DW72wObv.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-DTDvWtjs.css","/assets/messages-qxa-tU8M.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-45ixAqeK.js","/assets/page-B6yDlnEu.css","/assets/page-BGyJtqh2.js","/assets/page-BKUVxkOK.css","/assets/page-BL2MwhkL.js","/assets/page-BSWbKa9-.js","/assets/page-BVcj_PWu.css","/assets/page-BcbyD08b.js","/assets/page-BmwJ1bsi.js","/assets/page-BnOxwY1T.css","/assets/page-BtnNqIEs.js","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-C1tFUTO4.css","/assets/page-C2NZ0l7H.css","/assets/page-CAn7_qbt.js","/assets/page-CKOZckOB.js","/assets/page-CKTi9Sb6.js","/assets/page-CL_RHPD5.css","/assets/page-CRQK2OqQ.js","/assets/page-CUs0up_w.css","/assets/page-CbF8uwv6.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-DCdC3AM8.css","/assets/page-DO6zm0XS.js","/assets/page-DSEONBm3.js","/assets/page-DUCvn0Tu.css","/assets/page-Dn3Y_s2J.js","/assets/page-DoiflPix.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-DytPf2Qr.css","/assets/page-HMzbKpZK.js","/assets/page-HbcabIvF.js","/assets/page-ZuvWl4-g.css","/assets/page-cSoTlw56.js","/assets/page-j-EFDSRf.js","/assets/page-qqDZaCiw.css","/assets/page-tltTTZwY.js","/assets/page-yQdcNu7j.css","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/polling-BukXlHg4.js","/assets/program-BK5wTBDx.js","/assets/program-D6ZGsctB.css","/assets/reactive.svelte-DqUtmv3G.js","/assets/render-DMbJFbrF.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js","/assets/sightings.svelte-CgBHimH_.js","/assets/svelte-BLg2ue9L.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js","/","/start.js"]');
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
