// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-B8Zx18R0.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/first-run.svelte-DWJwAqf8.js","/assets/messages-EjpmpxVV.css","/assets/messages-UNyNwen-.js","/assets/page-QCrcOJXH.css","/assets/page-zFoh4xwR.js","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/agents/?$",["/assets/Connect-BGTAJg7e.js","/assets/Connect-BXmvQMO7.css","/assets/FirstAgent-D1XV6bVW.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-DrCCn-zH.js","/assets/KeyOnce-NWqIrhss.css","/assets/first-run.svelte-DWJwAqf8.js","/assets/own-query.svelte-Crl18I0i.js","/assets/page-B75pGYVx.js","/assets/page-Dq2H1fuH.css","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js","/assets/sightings.svelte-Cp7j5b6e.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BGTAJg7e.js","/assets/Connect-BXmvQMO7.css","/assets/KeyList-CCTzvK7Q.js","/assets/KeyList-Cvae3CZQ.css","/assets/KeyOnce-DrCCn-zH.js","/assets/KeyOnce-NWqIrhss.css","/assets/TraceBrowser-BE4cbSYj.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/own-query.svelte-Crl18I0i.js","/assets/page-CEmRacZW.js","/assets/page-DZZyyzYc.css","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js","/assets/sightings.svelte-Cp7j5b6e.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-EjpmpxVV.css","/assets/messages-UNyNwen-.js","/assets/own-query.svelte-Crl18I0i.js","/assets/page-7qmumING.css","/assets/page-DWxYH_J5.js","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/analytics/?$",["/assets/SpanPicker-B8Zx18R0.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/page-BykSYtqH.css","/assets/page-CIFLjOV0.js","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/c/[^/]+/?$",["/assets/messages-EjpmpxVV.css","/assets/messages-UNyNwen-.js","/assets/page-BWYDbWmi.css","/assets/page-etarnYDz.js","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/channels/?$",["/assets/page-C-5Av_Xk.js","/assets/page-CL_RHPD5.css","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/dead-letters/?$",["/assets/Pages-OhiWWVB3.css","/assets/Pages-UqqX2agU.js","/assets/page-CuIzuGxO.js","/assets/page-qqDZaCiw.css","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/dm/[^/]+/?$",["/assets/messages-EjpmpxVV.css","/assets/messages-UNyNwen-.js","/assets/page-CBHomUbz.js","/assets/page-CGawr0Lb.css","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-DppcNJTE.js","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/hub/?$",["/assets/page-Dqiix_vD.css","/assets/page-HxNziF7w.js","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-Do7guukm.js","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/search/?$",["/assets/Pages-OhiWWVB3.css","/assets/Pages-UqqX2agU.js","/assets/page-4x4tgA28.js","/assets/page-BjwdJDmZ.css","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/settings/?$",["/assets/KeyList-CCTzvK7Q.js","/assets/KeyList-Cvae3CZQ.css","/assets/KeyOnce-DrCCn-zH.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList--gNIY2fc.js","/assets/ShortcutList-1NJcE5vA.css","/assets/own-query.svelte-Crl18I0i.js","/assets/page-DXZdwrW6.css","/assets/page-pM62IcHc.js","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/skills/?$",["/assets/page-BBeuQOYd.js","/assets/page-Ct-rdxJ_.css","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]],["^/traces/?$",["/assets/TraceBrowser-BE4cbSYj.js","/assets/TraceBrowser-DIbTVxPI.css","/assets/own-query.svelte-Crl18I0i.js","/assets/page-BqcP9_Gv.js","/assets/page-DshBa7vN.css","/assets/shared-B3-k3hzW.css","/assets/shared-BbpMrsV6.js"]]]');

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
