// The service worker: it keeps the program (never data), so that the page opens without a connection.
// `vite.config.ts` puts in the build's hash and files, and writes it to `dist/sw.js`.
(function () {
  const worker = /** @type {any} */ (self);
  const CACHE = 'svc-14576c20961adb43';
  /** @type {string[]} */
  const FILES = JSON.parse('["/favicon.svg","/manifest.webmanifest","/theme.js","/assets/ArticleText-BmNMDAxd.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/Connect-BXmvQMO7.css","/assets/Connect-DX91Xpld.js","/assets/DiffView-DWDKp8eZ.css","/assets/DiffView-DfRQM9Yq.js","/assets/EditorView-CRoT2tVm.js","/assets/EditorView-DYl_HvkI.css","/assets/FirstAgent-DyXEVASc.js","/assets/FirstAgent-DyhZp_X-.css","/assets/Help-DuLkG8kC.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-g-Tp3fYL.js","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-rwiwMDP9.js","/assets/LoopNote-BKdhAN54.js","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-pXR8498-.js","/assets/Pages-DkysTQQw.js","/assets/Pages-OhiWWVB3.css","/assets/Palette-BFuQgLsB.css","/assets/Palette-ht_bP5kt.js","/assets/ProvideSecretDialog-Cxxz9zGm.js","/assets/ProvideSecretDialog-DRfOT4Kb.css","/assets/RestoreDialog-tZU9BwHB.js","/assets/RunTableFrame-BLL9xr2u.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/SaveText-CE0fly4J.js","/assets/ShortcutList-C-TPByNu.js","/assets/ShortcutList-CLtID7bx.css","/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-tJUCQmwV.js","/assets/SpendBars-Clu-EkYj.js","/assets/SpendBars-Dj7jD8m-.css","/assets/TraceBrowser-BCWvM6Ef.js","/assets/TraceBrowser-di-ClXyF.css","/assets/VerifyDialog-28ZbvG9T.js","/assets/api-Bsk1J31E.js","/assets/completion-CMML3_c_.js","/assets/first-run.svelte-CpAeWl4B.js","/assets/index-BPk_DPR2.css","/assets/index-BfPs_0TU.js","/assets/inter-latin-wght-normal-Dx4kXJAl.woff2","/assets/messages-DTDvWtjs.css","/assets/messages-kXqYBEyd.js","/assets/own-query.svelte-BBDo8k9R.js","/assets/page-0o-JUy5Y.js","/assets/page-42IoFca8.js","/assets/page-4yceH9l2.js","/assets/page-5q58McuV.js","/assets/page-B6yDlnEu.css","/assets/page-B9vjJNzn.js","/assets/page-BKUVxkOK.css","/assets/page-BKdSmwz-.css","/assets/page-BMSEWljF.js","/assets/page-BPBNGvNF.js","/assets/page-BVcj_PWu.css","/assets/page-BbEi0Au8.js","/assets/page-Bj5j7-Ep.css","/assets/page-BmoNYY6Z.js","/assets/page-BnOxwY1T.css","/assets/page-BykSYtqH.css","/assets/page-Bz-4XLCD.css","/assets/page-C1tFUTO4.css","/assets/page-C2NZ0l7H.css","/assets/page-C7LakYz8.js","/assets/page-C7yL6aWT.js","/assets/page-CGhom4d-.js","/assets/page-CL_RHPD5.css","/assets/page-CNNdEFn6.css","/assets/page-CWzspruk.js","/assets/page-CgIG_zwk.js","/assets/page-Cmmugi7r.js","/assets/page-CoHUVvS3.js","/assets/page-Cqj7FlDM.js","/assets/page-Ct-rdxJ_.css","/assets/page-CvZt-Sgk.css","/assets/page-CwIEa7MK.js","/assets/page-D44P0VZK.js","/assets/page-DCdC3AM8.css","/assets/page-DDpifQX0.css","/assets/page-DENINPza.js","/assets/page-DF_JmGnM.js","/assets/page-DKi3oPsi.js","/assets/page-DPqEOQTq.js","/assets/page-DUCvn0Tu.css","/assets/page-DbbYhPlh.css","/assets/page-DpsLTSFg.js","/assets/page-Dq2H1fuH.css","/assets/page-Dqiix_vD.css","/assets/page-DshBa7vN.css","/assets/page-DytPf2Qr.css","/assets/page-DyzFG66r.css","/assets/page-L_l_n4Do.js","/assets/page-PlYXFu5w.js","/assets/page-ZuvWl4-g.css","/assets/page-bPwBINic.js","/assets/page-qqDZaCiw.css","/assets/page-yQdcNu7j.css","/assets/plot-CnsZ1jie.css","/assets/plot-Dc_wf0S4.js","/assets/polling-BukXlHg4.js","/assets/program-6KUNe4_-.js","/assets/program-D6ZGsctB.css","/assets/reactive.svelte-DAd119fV.js","/assets/render-B99AvhV2.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/sightings.svelte-CIvyHKe_.js","/assets/slug-BVsS1JhX.js","/assets/snippet-D3nmhslD.js","/assets/svelte-JKm4sIu9.js","/assets/words-DTBwITWO.js","/assets/words-DkE7iUXI.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js","/","/start.js"]');
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
