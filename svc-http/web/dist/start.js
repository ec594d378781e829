// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-CG1zBt9n.js","/assets/first-run.svelte-CA7q0euh.js","/assets/messages-DTDvWtjs.css","/assets/messages-L4KrLBQX.js","/assets/page-BwiMu4CV.js","/assets/page-DE9v8Wxs.css","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css","/assets/words-C-b0BohH.js","/assets/words-C0Nd8D2a.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-r6_Ogpj-.js","/assets/FirstAgent-DyhZp_X-.css","/assets/FirstAgent-LVueYG_z.js","/assets/KeyOnce-CJeGApo_.js","/assets/KeyOnce-NWqIrhss.css","/assets/SaveText-Ctv8KQlm.js","/assets/first-run.svelte-CA7q0euh.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Dq2H1fuH.css","/assets/page-zqLSaS8c.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css","/assets/sightings.svelte-BJGcxXP8.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-r6_Ogpj-.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-DL5JYIja.js","/assets/KeyOnce-CJeGApo_.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-6aOi1L5z.js","/assets/LoopNote-CJxbPHzP.css","/assets/SaveText-Ctv8KQlm.js","/assets/TraceBrowser-BKSji5Ki.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BSXNTwr4.css","/assets/page-EGUnzUFC.js","/assets/reactive.svelte-BSFwQQR2.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css","/assets/sightings.svelte-BJGcxXP8.js","/assets/words-C-b0BohH.js","/assets/words-C0Nd8D2a.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-L4KrLBQX.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BAZpyL5R.js","/assets/page-Bz-4XLCD.css","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-CG1zBt9n.js","/assets/page-BykSYtqH.css","/assets/page-D9s0xspJ.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]],["^/c/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-L4KrLBQX.js","/assets/page-B6yDlnEu.css","/assets/page-CSw6cjhl.js","/assets/render-9PEV09VW.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]],["^/channels/?$",["/assets/page-CL_RHPD5.css","/assets/page-DPZM92tq.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]],["^/dead-letters/?$",["/assets/Pages-BiWnK34e.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-L4KrLBQX.js","/assets/page-pWYdiSzM.js","/assets/page-qqDZaCiw.css","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]],["^/dm/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-L4KrLBQX.js","/assets/page-Br9A9VJp.js","/assets/page-DCdC3AM8.css","/assets/render-9PEV09VW.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-oH4xMXd8.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]],["^/hub/?$",["/assets/page-Dqiix_vD.css","/assets/page-DtOQTz94.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]],["^/loops/?$",["/assets/LoopNote-6aOi1L5z.js","/assets/LoopNote-CJxbPHzP.css","/assets/page-BxXvhppI.js","/assets/page-C2NZ0l7H.css","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css","/assets/words-C-b0BohH.js","/assets/words-C0Nd8D2a.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-DThZAftg.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]],["^/runs/?$",["/assets/own-query.svelte-BSjsXgwy.js","/assets/page-D3YwG1bN.css","/assets/page-X1-v--MM.js","/assets/reactive.svelte-BSFwQQR2.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css","/assets/words-C-b0BohH.js"]],["^/runs/[^/]+/?$",["/assets/SaveText-Ctv8KQlm.js","/assets/messages-DTDvWtjs.css","/assets/messages-L4KrLBQX.js","/assets/page-3aNww8a9.css","/assets/page-BNonxqct.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css","/assets/words-C-b0BohH.js"]],["^/search/?$",["/assets/Pages-BiWnK34e.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-L4KrLBQX.js","/assets/page-BDjeSGpD.js","/assets/page-CvZt-Sgk.css","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]],["^/settings/?$",["/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-DL5JYIja.js","/assets/KeyOnce-CJeGApo_.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-ko6d3AMQ.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BnOxwY1T.css","/assets/page-I5_FI-Xu.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]],["^/skills/?$",["/assets/page-Ct-rdxJ_.css","/assets/page-MIrfk9xN.js","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]],["^/traces/?$",["/assets/TraceBrowser-BKSji5Ki.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Bu1pTlnV.js","/assets/page-DshBa7vN.css","/assets/shared-CBULd5-l.js","/assets/shared-DNjy0bnt.css"]]]');

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
