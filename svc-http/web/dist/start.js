// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-piV6efwN.js","/assets/first-run.svelte-DdtX1IBc.js","/assets/messages-C99yBb45.js","/assets/messages-DTDvWtjs.css","/assets/page-BPAg4fMY.js","/assets/page-DE9v8Wxs.css","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-C3_ZSSva.js","/assets/FirstAgent-CL7mmJX4.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-BVKOro79.js","/assets/KeyOnce-NWqIrhss.css","/assets/SaveText-BnPyj81g.js","/assets/first-run.svelte-DdtX1IBc.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-CR9zz1zz.js","/assets/page-Dq2H1fuH.css","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js","/assets/sightings.svelte-DphCTEWA.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-C3_ZSSva.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-CTtgavNd.js","/assets/KeyOnce-BVKOro79.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-D-BkBx8J.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/RunTableFrame-DI3ow1r2.js","/assets/SaveText-BnPyj81g.js","/assets/TraceBrowser-BNKzl665.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-C0MLE0zc.js","/assets/page-ZuvWl4-g.css","/assets/polling-BukXlHg4.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js","/assets/sightings.svelte-DphCTEWA.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-C99yBb45.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-Bz-4XLCD.css","/assets/page-DAEjkTFM.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-piV6efwN.js","/assets/page-BykSYtqH.css","/assets/page-CJiIcLgs.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]],["^/c/[^/]+/?$",["/assets/messages-C99yBb45.js","/assets/messages-DTDvWtjs.css","/assets/page-B6yDlnEu.css","/assets/page-C7uIX-Z2.js","/assets/render-9PEV09VW.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]],["^/channels/?$",["/assets/page-BIPgw8z4.js","/assets/page-CL_RHPD5.css","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]],["^/dead-letters/?$",["/assets/Pages-BEa19w6c.js","/assets/Pages-OhiWWVB3.css","/assets/messages-C99yBb45.js","/assets/messages-DTDvWtjs.css","/assets/page-BkmyScWW.js","/assets/page-qqDZaCiw.css","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]],["^/dm/[^/]+/?$",["/assets/messages-C99yBb45.js","/assets/messages-DTDvWtjs.css","/assets/page-AO4hfPhS.js","/assets/page-DCdC3AM8.css","/assets/render-9PEV09VW.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-BmugFWnx.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]],["^/hub/?$",["/assets/page-B55cP_K1.js","/assets/page-Dqiix_vD.css","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]],["^/loops/?$",["/assets/LoopNote-D-BkBx8J.js","/assets/page-BOzXBvM5.js","/assets/page-C2NZ0l7H.css","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-D5Fcx389.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]],["^/runs/?$",["/assets/RunTableFrame-BYpXTcnZ.css","/assets/RunTableFrame-DI3ow1r2.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-C1tFUTO4.css","/assets/page-CQTacPQa.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js","/assets/words-DTBwITWO.js"]],["^/runs/[^/]+/?$",["/assets/SaveText-BnPyj81g.js","/assets/messages-C99yBb45.js","/assets/messages-DTDvWtjs.css","/assets/page-5vbb_zMU.js","/assets/page-DUCvn0Tu.css","/assets/polling-BukXlHg4.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js","/assets/words-DTBwITWO.js","/assets/words-x6RG9BSQ.js"]],["^/search/?$",["/assets/Pages-BEa19w6c.js","/assets/Pages-OhiWWVB3.css","/assets/messages-C99yBb45.js","/assets/messages-DTDvWtjs.css","/assets/page-CvZt-Sgk.css","/assets/page-yTUYgeTF.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]],["^/settings/?$",["/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-CTtgavNd.js","/assets/KeyOnce-BVKOro79.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-CawdLwhB.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-BnOxwY1T.css","/assets/page-C-EuzrNV.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]],["^/skills/?$",["/assets/page-Cm_827si.js","/assets/page-Ct-rdxJ_.css","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]],["^/traces/?$",["/assets/TraceBrowser-BNKzl665.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-DavDPhpZ.js","/assets/page-DshBa7vN.css","/assets/polling-BukXlHg4.js","/assets/shared-BiTcO0tt.css","/assets/shared-PcsV5kTO.js"]]]');

  const { pathname, search } = location;
  const page = PAGES.find(([pattern]) => new RegExp(pattern).test(pathname));
  for (const file of page?.[1] ?? []) {
    const link = document.createElement('link');
    link.href = file;
    if (file.endsWith('.css')) {
      link.rel = 'preload';
      link.as = 'style';
    } else {
      link.rel = 'modulepreload';
    }
    // As the program itself asks for them, or they would be fetched twice.
    link.crossOrigin = '';
    // The program itself comes first.
    link.fetchPriority = 'low';
    document.head.append(link);
  }

  /** @type {Map<string, Promise<Response>>} */
  const early = new Map();
  Reflect.set(window, 'svcEarly', early);
  const ask = (/** @type {string} */ address) => {
    const answer = fetch(address, { cache: 'no-store' });
    // Errors are handled where the answer is used.
    answer.catch(() => undefined);
    early.set(address, answer);
    return answer;
  };

  // The API reference is for everybody.
  if (pathname === '/docs') return;
  const me = ask('/auth/me');
  const channel = /^\/c\/([^/]+)\/?$/.exec(pathname)?.[1];
  // A name that has to be written in another way is left to the program.
  if (channel === undefined || search !== '' || !/^[a-z0-9_-]+$/.test(channel)) return;
  const askForMessages = () => ask(`/api/channels/${channel}/messages?limit=50`);
  // The server says with the page whether the browser has shown a login. Who has none would be refused.
  const [loaded] = performance.getEntriesByType('navigation');
  if (
    loaded instanceof PerformanceNavigationTiming &&
    loaded.serverTiming.some(({ name }) => name === 'session')
  ) {
    askForMessages();
  } else {
    me.then(
      (response) => void (response.ok && askForMessages()),
      () => undefined,
    );
  }
})();
