// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-Bj71aCpD.js","/assets/first-run.svelte-B9E0W9lL.js","/assets/messages-DTDvWtjs.css","/assets/messages-KRhBMhqO.js","/assets/page-DE9v8Wxs.css","/assets/page-D_NQvu7A.js","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-Bz4Qasct.js","/assets/FirstAgent-B1rz3VJq.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-C9KeMd7B.js","/assets/KeyOnce-NWqIrhss.css","/assets/first-run.svelte-B9E0W9lL.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BL-UxJtM.js","/assets/page-Dq2H1fuH.css","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js","/assets/sightings.svelte-BW_g5PNu.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-Bz4Qasct.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-BXB-bfRF.js","/assets/KeyOnce-C9KeMd7B.js","/assets/KeyOnce-NWqIrhss.css","/assets/TraceBrowser-B6MwlkoG.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-DZZyyzYc.css","/assets/page-D_pIEP-k.js","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js","/assets/sightings.svelte-BW_g5PNu.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-KRhBMhqO.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Bz-4XLCD.css","/assets/page-DHLwabuK.js","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-Bj71aCpD.js","/assets/page-BykSYtqH.css","/assets/page-Wr0tMeph.js","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/c/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-KRhBMhqO.js","/assets/page-BL2zgTmU.css","/assets/page-CH62dl1S.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/channels/?$",["/assets/page-C23Yqj5v.js","/assets/page-CL_RHPD5.css","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/dead-letters/?$",["/assets/Pages-BRitvWO8.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-KRhBMhqO.js","/assets/page-B5eZlQCo.js","/assets/page-qqDZaCiw.css","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/dm/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-KRhBMhqO.js","/assets/page-BPGUzTQP.js","/assets/page-DCdC3AM8.css","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-s0aWW7iA.js","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/hub/?$",["/assets/page-BTPulh0z.js","/assets/page-Dqiix_vD.css","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-CFZzifCn.js","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/search/?$",["/assets/Pages-BRitvWO8.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-KRhBMhqO.js","/assets/page-CvZt-Sgk.css","/assets/page-XpGA7rWz.js","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/settings/?$",["/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-BXB-bfRF.js","/assets/KeyOnce-C9KeMd7B.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-1NJcE5vA.css","/assets/ShortcutList-C01cDs59.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BnOxwY1T.css","/assets/page-g--XfwVL.js","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/skills/?$",["/assets/page-CoHQ0Oqc.js","/assets/page-Ct-rdxJ_.css","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]],["^/traces/?$",["/assets/TraceBrowser-B6MwlkoG.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-CTHcWC_7.js","/assets/page-DshBa7vN.css","/assets/shared-B3-k3hzW.css","/assets/shared-C7oyTy4-.js"]]]');

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
    // Whoever takes it over says what is wrong.
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
