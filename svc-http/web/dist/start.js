// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-ZDfyJ6zh.js","/assets/first-run.svelte-DBfBFj8e.js","/assets/messages-CYxRYOpC.js","/assets/messages-DTDvWtjs.css","/assets/page-CyGyuUws.js","/assets/page-DE9v8Wxs.css","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css","/assets/words-CNlX_gO7.js","/assets/words-jFED77d7.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-BY5u31Rd.js","/assets/FirstAgent-DiomrjxF.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-8ElV-iuJ.js","/assets/KeyOnce-NWqIrhss.css","/assets/SaveText-D9oURJRW.js","/assets/first-run.svelte-DBfBFj8e.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-B3-itWY1.js","/assets/page-Dq2H1fuH.css","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css","/assets/sightings.svelte-BlmMvX78.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-BY5u31Rd.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-DCDtnMsx.js","/assets/KeyOnce-8ElV-iuJ.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-B3Gp3tUc.js","/assets/LoopNote-CJxbPHzP.css","/assets/SaveText-D9oURJRW.js","/assets/TraceBrowser-aO7R1KDg.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-DqvjZ7y4.js","/assets/page-_yUf7RHN.css","/assets/reactive.svelte-BYWGFVl7.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css","/assets/sightings.svelte-BlmMvX78.js","/assets/words-CNlX_gO7.js","/assets/words-jFED77d7.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-CYxRYOpC.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Bz-4XLCD.css","/assets/page-DHBFLQuW.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-ZDfyJ6zh.js","/assets/page-BykSYtqH.css","/assets/page-CLA3dNEB.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]],["^/c/[^/]+/?$",["/assets/messages-CYxRYOpC.js","/assets/messages-DTDvWtjs.css","/assets/page-B6yDlnEu.css","/assets/page-DCvMpjc_.js","/assets/render-9PEV09VW.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]],["^/channels/?$",["/assets/page-CKWVaC0Z.js","/assets/page-CL_RHPD5.css","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]],["^/dead-letters/?$",["/assets/Pages-OhiWWVB3.css","/assets/Pages-orLh18Pw.js","/assets/messages-CYxRYOpC.js","/assets/messages-DTDvWtjs.css","/assets/page-BTGHnHAQ.js","/assets/page-qqDZaCiw.css","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]],["^/dm/[^/]+/?$",["/assets/messages-CYxRYOpC.js","/assets/messages-DTDvWtjs.css","/assets/page-CiQ4i5zM.js","/assets/page-DCdC3AM8.css","/assets/render-9PEV09VW.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-DNlNjSUb.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]],["^/hub/?$",["/assets/page-CR_23_rV.js","/assets/page-Dqiix_vD.css","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]],["^/loops/?$",["/assets/LoopNote-B3Gp3tUc.js","/assets/LoopNote-CJxbPHzP.css","/assets/page-C2NZ0l7H.css","/assets/page-D3i3r2-l.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css","/assets/words-CNlX_gO7.js","/assets/words-jFED77d7.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-a0zhGavn.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]],["^/runs/?$",["/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BupUjqYT.js","/assets/page-D22puyhB.css","/assets/reactive.svelte-BYWGFVl7.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css","/assets/words-jFED77d7.js"]],["^/runs/[^/]+/?$",["/assets/SaveText-D9oURJRW.js","/assets/messages-CYxRYOpC.js","/assets/messages-DTDvWtjs.css","/assets/page-3aNww8a9.css","/assets/page-Zo3JdWyu.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css","/assets/words-jFED77d7.js"]],["^/search/?$",["/assets/Pages-OhiWWVB3.css","/assets/Pages-orLh18Pw.js","/assets/messages-CYxRYOpC.js","/assets/messages-DTDvWtjs.css","/assets/page-Cn0Btb8e.js","/assets/page-CvZt-Sgk.css","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]],["^/settings/?$",["/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-DCDtnMsx.js","/assets/KeyOnce-8ElV-iuJ.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-BqCtr-bz.js","/assets/ShortcutList-CLtID7bx.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BnOxwY1T.css","/assets/page-CIOIkfAI.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]],["^/skills/?$",["/assets/page-Ct-rdxJ_.css","/assets/page-knjE35uU.js","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]],["^/traces/?$",["/assets/TraceBrowser-aO7R1KDg.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-CdZeNqd_.js","/assets/page-DshBa7vN.css","/assets/shared-CuYmv7UA.js","/assets/shared-DNjy0bnt.css"]]]');

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
