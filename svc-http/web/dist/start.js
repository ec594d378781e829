// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-7731IhFE.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/first-run.svelte-CiKgaJCs.js","/assets/messages-DTDvWtjs.css","/assets/messages-DZqYLYKj.js","/assets/page-DE9v8Wxs.css","/assets/page-IlQuRcIa.js","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-Cwlpugie.js","/assets/FirstAgent-DyhZp_X-.css","/assets/FirstAgent-xigHDrng.js","/assets/KeyOnce-Dry0aR5f.js","/assets/KeyOnce-NWqIrhss.css","/assets/first-run.svelte-CiKgaJCs.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Dq2H1fuH.css","/assets/page-Slv4-rXq.js","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js","/assets/sightings.svelte-mpqhIro_.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-Cwlpugie.js","/assets/KeyList-14rdLjlG.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-Dry0aR5f.js","/assets/KeyOnce-NWqIrhss.css","/assets/TraceBrowser-D0l1m318.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-DXQi4XGH.css","/assets/page-EXGR9YDp.js","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js","/assets/sightings.svelte-mpqhIro_.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-DZqYLYKj.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Bz-4XLCD.css","/assets/page-_iC2E0jk.js","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/analytics/?$",["/assets/SpanPicker-7731IhFE.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/page-BykSYtqH.css","/assets/page-ChXpJfdR.js","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/c/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-DZqYLYKj.js","/assets/page-B6yDlnEu.css","/assets/page-rfrUSd8K.js","/assets/render-9PEV09VW.js","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/channels/?$",["/assets/page-CL_RHPD5.css","/assets/page-ChLqP4M9.js","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/dead-letters/?$",["/assets/Pages-BfDgqv_Y.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-DZqYLYKj.js","/assets/page-J78GxhqB.js","/assets/page-qqDZaCiw.css","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/dm/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-DZqYLYKj.js","/assets/page-B2ISuMvv.js","/assets/page-DCdC3AM8.css","/assets/render-9PEV09VW.js","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-DocqDnF5.js","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/hub/?$",["/assets/page-CRn7uVaX.js","/assets/page-Dqiix_vD.css","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/machines/?$",["/assets/page-BNXqH-p7.js","/assets/page-BVcj_PWu.css","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/search/?$",["/assets/Pages-BfDgqv_Y.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-DZqYLYKj.js","/assets/page-CgXeBnWt.js","/assets/page-CvZt-Sgk.css","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/settings/?$",["/assets/KeyList-14rdLjlG.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-Dry0aR5f.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-CSbz3yvF.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-5ybllmzZ.js","/assets/page-BnOxwY1T.css","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/skills/?$",["/assets/page-BU_P6JmI.js","/assets/page-Ct-rdxJ_.css","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]],["^/traces/?$",["/assets/TraceBrowser-D0l1m318.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BSmGM7qz.js","/assets/page-DshBa7vN.css","/assets/shared-DNjy0bnt.css","/assets/shared-WLLoVQlk.js"]]]');

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
