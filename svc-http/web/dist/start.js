// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-C0uADtd7.js","/assets/first-run.svelte-BVqz377L.js","/assets/messages-DdvhBjw9.js","/assets/messages-EjpmpxVV.css","/assets/page-C35lsv2E.js","/assets/page-QCrcOJXH.css","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-C3E8j1iP.js","/assets/FirstAgent-BGKBRhoP.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-BjgaqTJE.js","/assets/KeyOnce-NWqIrhss.css","/assets/first-run.svelte-BVqz377L.js","/assets/own-query.svelte-Crl18I0i.js","/assets/page-CNsRZzB1.js","/assets/page-Dq2H1fuH.css","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js","/assets/sightings.svelte-BLn_60LY.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-C3E8j1iP.js","/assets/KeyList-Cvae3CZQ.css","/assets/KeyList-DOmmPMi-.js","/assets/KeyOnce-BjgaqTJE.js","/assets/KeyOnce-NWqIrhss.css","/assets/TraceBrowser-DIbTVxPI.css","/assets/TraceBrowser-DtG_vEnI.js","/assets/own-query.svelte-Crl18I0i.js","/assets/page-CC3vqW8T.js","/assets/page-DZZyyzYc.css","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js","/assets/sightings.svelte-BLn_60LY.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DdvhBjw9.js","/assets/messages-EjpmpxVV.css","/assets/own-query.svelte-Crl18I0i.js","/assets/page-7eHfdigi.js","/assets/page-7qmumING.css","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-C0uADtd7.js","/assets/page-BykSYtqH.css","/assets/page-CU2fel3Z.js","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/c/[^/]+/?$",["/assets/messages-DdvhBjw9.js","/assets/messages-EjpmpxVV.css","/assets/page-BWYDbWmi.css","/assets/page-BbXRv7FV.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/channels/?$",["/assets/page-B1oGGSE8.js","/assets/page-CL_RHPD5.css","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/dead-letters/?$",["/assets/Pages-Dcs2UDMw.js","/assets/Pages-OhiWWVB3.css","/assets/page-BTcP6-nn.js","/assets/page-qqDZaCiw.css","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/dm/[^/]+/?$",["/assets/messages-DdvhBjw9.js","/assets/messages-EjpmpxVV.css","/assets/page-CGawr0Lb.css","/assets/page-DZGxfEBs.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-wBSYQxbT.js","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/hub/?$",["/assets/page-Dqiix_vD.css","/assets/page-IlQ2D_i2.js","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-CJf3SxwD.js","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/search/?$",["/assets/Pages-Dcs2UDMw.js","/assets/Pages-OhiWWVB3.css","/assets/page-B4SgyNBW.js","/assets/page-BjwdJDmZ.css","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/settings/?$",["/assets/KeyList-Cvae3CZQ.css","/assets/KeyList-DOmmPMi-.js","/assets/KeyOnce-BjgaqTJE.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-1NJcE5vA.css","/assets/ShortcutList-CSTiNrgT.js","/assets/own-query.svelte-Crl18I0i.js","/assets/page-C1s_zaca.js","/assets/page-DXZdwrW6.css","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/skills/?$",["/assets/page-Ct-rdxJ_.css","/assets/page-DwX31WC7.js","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]],["^/traces/?$",["/assets/TraceBrowser-DIbTVxPI.css","/assets/TraceBrowser-DtG_vEnI.js","/assets/own-query.svelte-Crl18I0i.js","/assets/page-C-sNhNzu.js","/assets/page-DshBa7vN.css","/assets/shared-B3-k3hzW.css","/assets/shared-CwsJIOJi.js"]]]');

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
  if (channel === undefined || search !== '') return;
  me.then(
    (response) => {
      // A name that has to be written in another way is left to the program.
      if (response.ok && /^[a-z0-9_-]+$/.test(channel)) ask(`/api/channels/${channel}/messages?limit=50`);
    },
    () => undefined,
  );
})();
