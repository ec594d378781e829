// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-ca4d6434ff4bac60';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/Badge-BlAl28t_.js","/assets/Badge-ZFC9t3Xt.css","/assets/CodeBlock-DFIkhndN.js","/assets/CodeBlock-DtAqH8do.css","/assets/Confirm-ByEQ88uK.js","/assets/Confirm-CA8RJJYa.css","/assets/Connect-BXmvQMO7.css","/assets/Connect-qPRsskFJ.js","/assets/Conversation-BGtWBuin.css","/assets/Conversation-Dw8_zNNO.js","/assets/CopyButton-B2ysjFoq.js","/assets/Dialog-C3ns-8qw.js","/assets/Dialog-DYTuI3Y-.css","/assets/EmptyState-DjuDuNaF.css","/assets/EmptyState-GgMjyDTz.js","/assets/Failure-Bv0FSONq.css","/assets/Failure-CHlfVc9_.js","/assets/Field-DokIT8TB.css","/assets/Field-DzcdIR6Z.js","/assets/FirstAgent-D65_OOdJ.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-DSxlP5o-.js","/assets/KeyList-CF1lfm2V.css","/assets/KeyList-CQTNJy91.js","/assets/Markdown-CNQgXOtD.js","/assets/Markdown-CPl-Vsta.css","/assets/Pages-D3NrGc_H.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-Chw7jKCH.js","/assets/ProgressBar-Bv2m5IgJ.css","/assets/ProgressBar-D3fYZ9LT.js","/assets/RelativeTime-BhNg_Egj.js","/assets/RelativeTime-CBJ4UPNJ.css","/assets/Select-BhSbcH5i.css","/assets/Select-DXiomBkA.js","/assets/ShortcutList-1NJcE5vA.css","/assets/ShortcutList-B-A88b8g.js","/assets/SpanPicker-CT1NfnI9.js","/assets/SpanPicker-mP8Lcuwj.css","/assets/Tabs-CXXr_B64.css","/assets/Tabs-Drv1VzBm.js","/assets/TimelineView-4OqP55io.js","/assets/TimelineView-CJJSC5Oq.css","/assets/Title-Vx0ASMvN.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/TraceBrowser-VWBgRjqP.js","/assets/at-sign-BkqdwtPm.js","/assets/channel-actions-b9VueUF-.js","/assets/check-CGk22zPQ.js","/assets/circle-check-EpFylPfT.js","/assets/disclose-version-ChlrH6SC.js","/assets/download-Ceakx3da.js","/assets/index-9XE0gf3H.js","/assets/index-DAEhkrSS.css","/assets/index-client-DjQ1ByFD.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/mail-check-BeptPUYM.js","/assets/one-line-C5C40FuB.js","/assets/own-query.svelte-DQr7nD2B.js","/assets/page-4Kr2WaQf.css","/assets/page-B3U7Lr-i.js","/assets/page-BKUVxkOK.css","/assets/page-BO0SIOui.js","/assets/page-BPCZ27fr.js","/assets/page-BVcj_PWu.css","/assets/page-BX_pZDKa.css","/assets/page-BjwdJDmZ.css","/assets/page-Bqi5PJrY.js","/assets/page-BykSYtqH.css","/assets/page-CCiFIQcT.js","/assets/page-CGawr0Lb.css","/assets/page-CL_RHPD5.css","/assets/page-CRRYFPbH.js","/assets/page-CZ_RWEPp.css","/assets/page-Ci2iB_iy.js","/assets/page-D9P_FTt3.js","/assets/page-DGM-Y-me.js","/assets/page-DH2XLyow.css","/assets/page-DILQwDFC.js","/assets/page-DP8nRivv.js","/assets/page-DWkpcjpv.css","/assets/page-DbHWEo3h.js","/assets/page-DbiLjlau.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-SeYaGAEp.js","/assets/page-nLV6Y87J.css","/assets/page-qqDZaCiw.css","/assets/page-uORTWKNp.js","/assets/page-xslEa6cH.js","/assets/paperclip-CqyN_3Fb.js","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/render-ClLHnMCU.js","/assets/resource.svelte-CMe2jABw.js","/assets/sightings.svelte-Cvir0E6H.js","/assets/submission-D2XI2glg.css","/assets/submission.svelte-DYjIyDI5.js","/"]');
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
