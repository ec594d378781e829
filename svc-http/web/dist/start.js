// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-Bf75ch9B.js","/assets/first-run.svelte-DiZATMG8.js","/assets/messages-Brj-lg_y.js","/assets/messages-DTDvWtjs.css","/assets/page-BN2_5mvj.js","/assets/page-DE9v8Wxs.css","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/agents/?$",["/assets/Connect-BRAXPycx.js","/assets/Connect-BXmvQMO7.css","/assets/FirstAgent-B9LDj939.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-DSwsZE4v.js","/assets/KeyOnce-NWqIrhss.css","/assets/first-run.svelte-DiZATMG8.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-DjH4I4PH.js","/assets/page-Dq2H1fuH.css","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js","/assets/sightings.svelte-BWXEGzx1.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BRAXPycx.js","/assets/Connect-BXmvQMO7.css","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-htwD-16v.js","/assets/KeyOnce-DSwsZE4v.js","/assets/KeyOnce-NWqIrhss.css","/assets/TraceBrowser-C1j64lo4.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-DZZyyzYc.css","/assets/page-O0U9sPG-.js","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js","/assets/sightings.svelte-BWXEGzx1.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-Brj-lg_y.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Bz-4XLCD.css","/assets/page-COr3JlYU.js","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-Bf75ch9B.js","/assets/page-BykSYtqH.css","/assets/page-oP1qXcAG.js","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/c/[^/]+/?$",["/assets/messages-Brj-lg_y.js","/assets/messages-DTDvWtjs.css","/assets/page-BL2zgTmU.css","/assets/page-COb4tyvP.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/channels/?$",["/assets/page-CL_RHPD5.css","/assets/page-CpqmrLrE.js","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/dead-letters/?$",["/assets/Pages-DukacRQG.js","/assets/Pages-OhiWWVB3.css","/assets/messages-Brj-lg_y.js","/assets/messages-DTDvWtjs.css","/assets/page-CIc8HH1n.js","/assets/page-qqDZaCiw.css","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/dm/[^/]+/?$",["/assets/messages-Brj-lg_y.js","/assets/messages-DTDvWtjs.css","/assets/page-Bo-vOQeC.js","/assets/page-DCdC3AM8.css","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-CHFvlmHv.js","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/hub/?$",["/assets/page-D7cAlmdA.js","/assets/page-Dqiix_vD.css","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-CjQ9iz5t.js","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/search/?$",["/assets/Pages-DukacRQG.js","/assets/Pages-OhiWWVB3.css","/assets/messages-Brj-lg_y.js","/assets/messages-DTDvWtjs.css","/assets/page-Byy6Vp-G.js","/assets/page-CvZt-Sgk.css","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/settings/?$",["/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-htwD-16v.js","/assets/KeyOnce-DSwsZE4v.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-1NJcE5vA.css","/assets/ShortcutList-DD6iujyb.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BnOxwY1T.css","/assets/page-CCxPL91t.js","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/skills/?$",["/assets/page-Ct-rdxJ_.css","/assets/page-ZRiT1ibx.js","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]],["^/traces/?$",["/assets/TraceBrowser-C1j64lo4.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-CJrqAJ4n.js","/assets/page-DshBa7vN.css","/assets/shared-B3-k3hzW.css","/assets/shared-DtGzpJ5Z.js"]]]');

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
