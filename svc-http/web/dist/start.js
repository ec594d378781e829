// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-8enpiSVM.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/first-run.svelte-C7YOZryx.js","/assets/messages-DEOSGOSr.js","/assets/messages-DTDvWtjs.css","/assets/page-DE9v8Wxs.css","/assets/page-QnoJ6kbv.js","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-DzcksShC.js","/assets/FirstAgent-DyhZp_X-.css","/assets/FirstAgent-nny8Jonv.js","/assets/KeyOnce-DnbpAnwO.js","/assets/KeyOnce-NWqIrhss.css","/assets/first-run.svelte-C7YOZryx.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Bl1wsI7D.js","/assets/page-Dq2H1fuH.css","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js","/assets/sightings.svelte-CWcRfxlu.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-DzcksShC.js","/assets/KeyList-ALz--EOI.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-DnbpAnwO.js","/assets/KeyOnce-NWqIrhss.css","/assets/TraceBrowser-DP5218As.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-AuapLtSp.js","/assets/page-DZZyyzYc.css","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js","/assets/sightings.svelte-CWcRfxlu.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DEOSGOSr.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BfB5H5K5.js","/assets/page-Bz-4XLCD.css","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/analytics/?$",["/assets/SpanPicker-8enpiSVM.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/page-BykSYtqH.css","/assets/page-CNQHkiL-.js","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/c/[^/]+/?$",["/assets/messages-DEOSGOSr.js","/assets/messages-DTDvWtjs.css","/assets/page-B6yDlnEu.css","/assets/page-DZGQNuql.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/channels/?$",["/assets/page-CL_RHPD5.css","/assets/page-DB-DAn3F.js","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/dead-letters/?$",["/assets/Pages-BpOxMqUR.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DEOSGOSr.js","/assets/messages-DTDvWtjs.css","/assets/page-V-yNmlND.js","/assets/page-qqDZaCiw.css","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/dm/[^/]+/?$",["/assets/messages-DEOSGOSr.js","/assets/messages-DTDvWtjs.css","/assets/page-DCdC3AM8.css","/assets/page-iggWCf0j.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-Dxg-_HNH.js","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/hub/?$",["/assets/page-CP9AaN95.js","/assets/page-Dqiix_vD.css","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/machines/?$",["/assets/page-B2rrtQ_W.js","/assets/page-BVcj_PWu.css","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/search/?$",["/assets/Pages-BpOxMqUR.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DEOSGOSr.js","/assets/messages-DTDvWtjs.css","/assets/page-C67WYbQR.js","/assets/page-CvZt-Sgk.css","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/settings/?$",["/assets/KeyList-ALz--EOI.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-DnbpAnwO.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-Cp1nX0Sq.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BnOxwY1T.css","/assets/page-kJvYQfjf.js","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/skills/?$",["/assets/page-Ct-rdxJ_.css","/assets/page-DqsXhyN1.js","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]],["^/traces/?$",["/assets/TraceBrowser-DP5218As.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-B6vZX3O9.js","/assets/page-DshBa7vN.css","/assets/shared-B3-k3hzW.css","/assets/shared-hs48ky8o.js"]]]');

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
