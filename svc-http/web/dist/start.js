// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-DKaM-9KZ.js","/assets/first-run.svelte-D8Z3tvcF.js","/assets/messages-CHmkUlmw.js","/assets/messages-DTDvWtjs.css","/assets/page-DE9v8Wxs.css","/assets/page-DPBJvWFS.js","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-cqnYfli_.js","/assets/FirstAgent-DyhZp_X-.css","/assets/FirstAgent-r1pYWMHl.js","/assets/KeyOnce-BqEzq_uX.js","/assets/KeyOnce-NWqIrhss.css","/assets/first-run.svelte-D8Z3tvcF.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Dq2H1fuH.css","/assets/page-DrY8TiYc.js","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js","/assets/sightings.svelte-BmSvx5gP.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-cqnYfli_.js","/assets/KeyList-BSHO2jk2.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-BqEzq_uX.js","/assets/KeyOnce-NWqIrhss.css","/assets/TraceBrowser-B_GOudEz.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BG6gSinC.js","/assets/page-DZZyyzYc.css","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js","/assets/sightings.svelte-BmSvx5gP.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-CHmkUlmw.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Bz-4XLCD.css","/assets/page-COaOazI3.js","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-DKaM-9KZ.js","/assets/page-BykSYtqH.css","/assets/page-CgcrEzgG.js","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/c/[^/]+/?$",["/assets/messages-CHmkUlmw.js","/assets/messages-DTDvWtjs.css","/assets/page-BL2zgTmU.css","/assets/page-CR3lO1kK.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/channels/?$",["/assets/page-CL_RHPD5.css","/assets/page-TPOEH65-.js","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/dead-letters/?$",["/assets/Pages-OhiWWVB3.css","/assets/Pages-fXPItTot.js","/assets/messages-CHmkUlmw.js","/assets/messages-DTDvWtjs.css","/assets/page-VAfB7ZQX.js","/assets/page-qqDZaCiw.css","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/dm/[^/]+/?$",["/assets/messages-CHmkUlmw.js","/assets/messages-DTDvWtjs.css","/assets/page-By3IbZgp.js","/assets/page-DCdC3AM8.css","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-Qd2UlpT_.js","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/hub/?$",["/assets/page-CBxAgShK.js","/assets/page-Dqiix_vD.css","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-CH-QDASM.js","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/search/?$",["/assets/Pages-OhiWWVB3.css","/assets/Pages-fXPItTot.js","/assets/messages-CHmkUlmw.js","/assets/messages-DTDvWtjs.css","/assets/page-BDmC0W2U.js","/assets/page-CvZt-Sgk.css","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/settings/?$",["/assets/KeyList-BSHO2jk2.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-BqEzq_uX.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-1NJcE5vA.css","/assets/ShortcutList-Bas89AZg.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BnOxwY1T.css","/assets/page-C8Nqpttt.js","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/skills/?$",["/assets/page-Ct-rdxJ_.css","/assets/page-CwFvtFmv.js","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]],["^/traces/?$",["/assets/TraceBrowser-B_GOudEz.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-B41ba5Cl.js","/assets/page-DshBa7vN.css","/assets/shared-B3-k3hzW.css","/assets/shared-BFuNJ3XM.js"]]]');

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
