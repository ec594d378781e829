// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-CU6LHy7_.js","/assets/first-run.svelte-DsjnRdc1.js","/assets/messages-DTDvWtjs.css","/assets/messages-DVjPGbDS.js","/assets/page-ByGyDFPV.js","/assets/page-DE9v8Wxs.css","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js","/assets/words-C1PxlVQj.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-CLPQQCVg.js","/assets/FirstAgent-BTNwm3Ll.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-nHB6gj1R.js","/assets/SaveText-BuvTvRLA.js","/assets/first-run.svelte-DsjnRdc1.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-C-uJ0dJA.js","/assets/page-Dq2H1fuH.css","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js","/assets/sightings.svelte-OXwFAJzw.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-CLPQQCVg.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-CPSP7kCE.js","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-nHB6gj1R.js","/assets/SaveText-BuvTvRLA.js","/assets/TraceBrowser-Cfbowwol.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BIto1URE.js","/assets/page-DyZ81lzj.css","/assets/reactive.svelte-BVtoi1aY.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js","/assets/sightings.svelte-OXwFAJzw.js","/assets/words-C1PxlVQj.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-DVjPGbDS.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-Bz-4XLCD.css","/assets/page-DOt8b5tZ.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-CU6LHy7_.js","/assets/page-BykSYtqH.css","/assets/page-D8mve7cP.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]],["^/c/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-DVjPGbDS.js","/assets/page-B6yDlnEu.css","/assets/page-D-0YVWO4.js","/assets/render-9PEV09VW.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]],["^/channels/?$",["/assets/page-CL_RHPD5.css","/assets/page-DBCi58BS.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]],["^/dead-letters/?$",["/assets/Pages-E68FlV8Y.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-DVjPGbDS.js","/assets/page-fs5RCnPS.js","/assets/page-qqDZaCiw.css","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]],["^/dm/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-DVjPGbDS.js","/assets/page-CLTfR1me.js","/assets/page-DCdC3AM8.css","/assets/render-9PEV09VW.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-DHahfY1v.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]],["^/hub/?$",["/assets/page-Dqiix_vD.css","/assets/page-nuxo3WbM.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-NsNhG0CZ.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]],["^/runs/?$",["/assets/own-query.svelte-BSjsXgwy.js","/assets/page-CHJ6TGZi.css","/assets/page-CICQQU1f.js","/assets/reactive.svelte-BVtoi1aY.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js","/assets/words-C1PxlVQj.js"]],["^/runs/[^/]+/?$",["/assets/SaveText-BuvTvRLA.js","/assets/messages-DTDvWtjs.css","/assets/messages-DVjPGbDS.js","/assets/page-C0pQcGQ_.css","/assets/page-o3BuTIpt.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js","/assets/words-C1PxlVQj.js"]],["^/search/?$",["/assets/Pages-E68FlV8Y.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-DVjPGbDS.js","/assets/page-BavQzbKE.js","/assets/page-CvZt-Sgk.css","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]],["^/settings/?$",["/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-CPSP7kCE.js","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-nHB6gj1R.js","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-lT6-aSac.js","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-BnOxwY1T.css","/assets/page-Csgayhd6.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]],["^/skills/?$",["/assets/page-BdqDpys3.js","/assets/page-Ct-rdxJ_.css","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]],["^/traces/?$",["/assets/TraceBrowser-Cfbowwol.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BSjsXgwy.js","/assets/page-DshBa7vN.css","/assets/page-g6bHr7p2.js","/assets/shared-DNjy0bnt.css","/assets/shared-DSvB_ELa.js"]]]');

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
