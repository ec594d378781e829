// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-DnlHoRZr.js","/assets/first-run.svelte-hMycPzn8.js","/assets/messages-DTDvWtjs.css","/assets/messages-W38uNWCX.js","/assets/page-CvfgxYms.js","/assets/page-DE9v8Wxs.css","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css","/assets/words-C-b0BohH.js","/assets/words-C0Nd8D2a.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-DhvUICU7.js","/assets/FirstAgent-B8kU5ApY.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-DMUgxsZt.js","/assets/KeyOnce-NWqIrhss.css","/assets/SaveText-CvJZr-Cq.js","/assets/first-run.svelte-hMycPzn8.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-B098XXQR.js","/assets/page-Dq2H1fuH.css","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css","/assets/sightings.svelte-Bp7oAsKO.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-DhvUICU7.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-BcL4lTRF.js","/assets/KeyOnce-DMUgxsZt.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-CJxbPHzP.css","/assets/LoopNote-Cfyrz9gY.js","/assets/SaveText-CvJZr-Cq.js","/assets/TraceBrowser-6gClFQH9.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BSXNTwr4.css","/assets/page-CQXvOcyO.js","/assets/reactive.svelte-cjqNb3v_.js","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css","/assets/sightings.svelte-Bp7oAsKO.js","/assets/words-C-b0BohH.js","/assets/words-C0Nd8D2a.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-W38uNWCX.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Bz-4XLCD.css","/assets/page-GhnNJsOf.js","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-DnlHoRZr.js","/assets/page-BykSYtqH.css","/assets/page-CmVW7hlo.js","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]],["^/c/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-W38uNWCX.js","/assets/page-B6yDlnEu.css","/assets/page-X1FVjOpw.js","/assets/render-9PEV09VW.js","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]],["^/channels/?$",["/assets/page-CL_RHPD5.css","/assets/page-PNBsMUf9.js","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]],["^/dead-letters/?$",["/assets/Pages-DTSL9vol.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-W38uNWCX.js","/assets/page-BQxxXxXC.js","/assets/page-qqDZaCiw.css","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]],["^/dm/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-W38uNWCX.js","/assets/page-DCdC3AM8.css","/assets/page-Dzy-uUzU.js","/assets/render-9PEV09VW.js","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-BrKSFnnu.js","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]],["^/hub/?$",["/assets/page-BWniSYIt.js","/assets/page-Dqiix_vD.css","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]],["^/loops/?$",["/assets/LoopNote-CJxbPHzP.css","/assets/LoopNote-Cfyrz9gY.js","/assets/page-Bnnztg1O.js","/assets/page-C2NZ0l7H.css","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css","/assets/words-C-b0BohH.js","/assets/words-C0Nd8D2a.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-CDs1k4VE.js","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]],["^/runs/?$",["/assets/own-query.svelte-BSjsXgwy.js","/assets/page-D3YwG1bN.css","/assets/page-cVrSTYqA.js","/assets/reactive.svelte-cjqNb3v_.js","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css","/assets/words-C-b0BohH.js"]],["^/runs/[^/]+/?$",["/assets/SaveText-CvJZr-Cq.js","/assets/messages-DTDvWtjs.css","/assets/messages-W38uNWCX.js","/assets/page-3aNww8a9.css","/assets/page-WOLbbFKa.js","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css","/assets/words-C-b0BohH.js"]],["^/search/?$",["/assets/Pages-DTSL9vol.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-W38uNWCX.js","/assets/page-CoFSeUO9.js","/assets/page-CvZt-Sgk.css","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]],["^/settings/?$",["/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-BcL4lTRF.js","/assets/KeyOnce-DMUgxsZt.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-Dmmda1fi.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Bc0Dwu99.js","/assets/page-BnOxwY1T.css","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]],["^/skills/?$",["/assets/page-Ct-rdxJ_.css","/assets/page-DlfNfL2T.js","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]],["^/traces/?$",["/assets/TraceBrowser-6gClFQH9.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BvK6LvZV.js","/assets/page-DshBa7vN.css","/assets/shared-BXdV8MdV.js","/assets/shared-DNjy0bnt.css"]]]');

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
