// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-BWUOlcpC.js","/assets/first-run.svelte-CaINot2-.js","/assets/messages-DIs240a9.js","/assets/messages-DTDvWtjs.css","/assets/page-BvsFTw4h.js","/assets/page-DE9v8Wxs.css","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-_pJaylCP.js","/assets/FirstAgent-DyhZp_X-.css","/assets/FirstAgent-E9f8lfCO.js","/assets/KeyOnce-Lc0tVVnv.js","/assets/KeyOnce-NWqIrhss.css","/assets/first-run.svelte-CaINot2-.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-4RIpGn-e.js","/assets/page-Dq2H1fuH.css","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js","/assets/sightings.svelte-CWb2yjmB.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-_pJaylCP.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-D6exxyKR.js","/assets/KeyOnce-Lc0tVVnv.js","/assets/KeyOnce-NWqIrhss.css","/assets/TraceBrowser-DqrEt2vH.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-D2PC1gzr.js","/assets/page-ZkSHAsPm.css","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js","/assets/sightings.svelte-CWb2yjmB.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DIs240a9.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Bz-4XLCD.css","/assets/page-WDUocJ9t.js","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-BWUOlcpC.js","/assets/page-Bn3FNogg.js","/assets/page-BykSYtqH.css","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/c/[^/]+/?$",["/assets/messages-DIs240a9.js","/assets/messages-DTDvWtjs.css","/assets/page-B6yDlnEu.css","/assets/page-DQWZgAg7.js","/assets/render-9PEV09VW.js","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/channels/?$",["/assets/page-CL_RHPD5.css","/assets/page-CZlhjbzn.js","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/dead-letters/?$",["/assets/Pages-BHV1F9U2.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DIs240a9.js","/assets/messages-DTDvWtjs.css","/assets/page-DX8OxopH.js","/assets/page-qqDZaCiw.css","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/dm/[^/]+/?$",["/assets/messages-DIs240a9.js","/assets/messages-DTDvWtjs.css","/assets/page-DCdC3AM8.css","/assets/page-pgilhgU0.js","/assets/render-9PEV09VW.js","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-DOvmnOnm.js","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/hub/?$",["/assets/page-Dqiix_vD.css","/assets/page-mQewzB_I.js","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/machines/?$",["/assets/page-BAUG7Bj5.js","/assets/page-BVcj_PWu.css","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/search/?$",["/assets/Pages-BHV1F9U2.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DIs240a9.js","/assets/messages-DTDvWtjs.css","/assets/page-CflX3j77.js","/assets/page-CvZt-Sgk.css","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/settings/?$",["/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-D6exxyKR.js","/assets/KeyOnce-Lc0tVVnv.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-CsurjF8U.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BnOxwY1T.css","/assets/page-BzVr4GAp.js","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/skills/?$",["/assets/page-Ct-rdxJ_.css","/assets/page-DDhDD7qD.js","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]],["^/traces/?$",["/assets/TraceBrowser-DqrEt2vH.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-DshBa7vN.css","/assets/page-fLqjvFPa.js","/assets/shared-DNjy0bnt.css","/assets/shared-DvPXDOS_.js"]]]');

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
