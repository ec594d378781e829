// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-CuzI3kxC.js","/assets/first-run.svelte-zEsGrMyD.js","/assets/messages-D4ATLZnz.js","/assets/messages-D8y9-GE8.css","/assets/page-BhhLmUu1.js","/assets/page-QCrcOJXH.css","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/agents/?$",["/assets/Connect-B3oR0CFa.js","/assets/Connect-BXmvQMO7.css","/assets/FirstAgent-DTpkvzpd.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-CsnSP3q6.js","/assets/KeyOnce-NWqIrhss.css","/assets/first-run.svelte-zEsGrMyD.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Cc24il0r.js","/assets/page-Dq2H1fuH.css","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js","/assets/sightings.svelte-CJX7FyGD.js"]],["^/agents/[^/]+/?$",["/assets/Connect-B3oR0CFa.js","/assets/Connect-BXmvQMO7.css","/assets/KeyList-BLI1Xw8k.js","/assets/KeyList-Cvae3CZQ.css","/assets/KeyOnce-CsnSP3q6.js","/assets/KeyOnce-NWqIrhss.css","/assets/TraceBrowser-DIbTVxPI.css","/assets/TraceBrowser-JqygSmDw.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-CzviLWPB.js","/assets/page-DZZyyzYc.css","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js","/assets/sightings.svelte-CJX7FyGD.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-D4ATLZnz.js","/assets/messages-D8y9-GE8.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-7qmumING.css","/assets/page-DF7pMtjW.js","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-CuzI3kxC.js","/assets/page-BgepmAiu.js","/assets/page-BykSYtqH.css","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/c/[^/]+/?$",["/assets/messages-D4ATLZnz.js","/assets/messages-D8y9-GE8.css","/assets/page-B4nuNDvF.js","/assets/page-BWYDbWmi.css","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/channels/?$",["/assets/page-CL_RHPD5.css","/assets/page-w0LL0m6K.js","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/dead-letters/?$",["/assets/Pages-C64wVIGp.js","/assets/Pages-OhiWWVB3.css","/assets/page-DBJIXYA-.js","/assets/page-qqDZaCiw.css","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/dm/[^/]+/?$",["/assets/messages-D4ATLZnz.js","/assets/messages-D8y9-GE8.css","/assets/page-BXz-ougV.js","/assets/page-CGawr0Lb.css","/assets/render-9PEV09VW.js","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-DqhOn6fO.js","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/hub/?$",["/assets/page-DeUCdBdf.js","/assets/page-Dqiix_vD.css","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/machines/?$",["/assets/page-B0wwVRJx.js","/assets/page-BVcj_PWu.css","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/search/?$",["/assets/Pages-C64wVIGp.js","/assets/Pages-OhiWWVB3.css","/assets/page-BjwdJDmZ.css","/assets/page-ovQ4WvBH.js","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/settings/?$",["/assets/KeyList-BLI1Xw8k.js","/assets/KeyList-Cvae3CZQ.css","/assets/KeyOnce-CsnSP3q6.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-1NJcE5vA.css","/assets/ShortcutList-wP1ffsu4.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-DXZdwrW6.css","/assets/page-eQki9oAl.js","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/skills/?$",["/assets/page-Ct-rdxJ_.css","/assets/page-Cye9PMh7.js","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]],["^/traces/?$",["/assets/TraceBrowser-DIbTVxPI.css","/assets/TraceBrowser-JqygSmDw.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-CDMEInGY.js","/assets/page-DshBa7vN.css","/assets/shared-B3-k3hzW.css","/assets/shared-Biv4ZWB3.js"]]]');

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
