// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-EsOX-DBY.js","/assets/first-run.svelte-FngIPN_-.js","/assets/messages-DTDvWtjs.css","/assets/messages-Dzur2mBt.js","/assets/page-DE9v8Wxs.css","/assets/page-DzPuRHRy.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-BrNVn8gP.js","/assets/FirstAgent-DOgHsGuW.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-DTZcXmav.js","/assets/KeyOnce-NWqIrhss.css","/assets/SaveText-Dlh-GIIZ.js","/assets/first-run.svelte-FngIPN_-.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-Dq2H1fuH.css","/assets/page-DyVfZOlp.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js","/assets/sightings.svelte-Cx7UpOvz.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-BrNVn8gP.js","/assets/KeyList-B79_faTp.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-DTZcXmav.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-CEcqxFPK.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/RunTableFrame-MIw6QKk-.js","/assets/SaveText-Dlh-GIIZ.js","/assets/TraceBrowser-DV7_HNzK.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-TapdRjPD.js","/assets/page-ZuvWl4-g.css","/assets/polling-BukXlHg4.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js","/assets/sightings.svelte-Cx7UpOvz.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-Dzur2mBt.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-Bz-4XLCD.css","/assets/page-CGMIIfxw.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-EsOX-DBY.js","/assets/page-BykSYtqH.css","/assets/page-TFxbnwuE.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]],["^/c/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-Dzur2mBt.js","/assets/page-B6yDlnEu.css","/assets/page-CFVGny-k.js","/assets/render-9PEV09VW.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]],["^/channels/?$",["/assets/page-CGRhg9wJ.js","/assets/page-CL_RHPD5.css","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]],["^/dead-letters/?$",["/assets/Pages-C6lyAA4C.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-Dzur2mBt.js","/assets/page-BYq7F2KL.js","/assets/page-qqDZaCiw.css","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]],["^/dm/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-Dzur2mBt.js","/assets/page-BTxW3tV7.js","/assets/page-DCdC3AM8.css","/assets/render-9PEV09VW.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-CBwq3kAg.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]],["^/hub/?$",["/assets/page-Dqiix_vD.css","/assets/page-SXol-uhT.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]],["^/loops/?$",["/assets/LoopNote-CEcqxFPK.js","/assets/page-C2NZ0l7H.css","/assets/page-yaK-4fLL.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/machines/?$",["/assets/page-2DwH7wsJ.js","/assets/page-BVcj_PWu.css","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]],["^/runs/?$",["/assets/RunTableFrame-BYpXTcnZ.css","/assets/RunTableFrame-MIw6QKk-.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-C0JfxKjy.js","/assets/page-C1tFUTO4.css","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js","/assets/words-DTBwITWO.js"]],["^/runs/[^/]+/?$",["/assets/SaveText-Dlh-GIIZ.js","/assets/messages-DTDvWtjs.css","/assets/messages-Dzur2mBt.js","/assets/page-Ct0OLQ7i.js","/assets/page-DUCvn0Tu.css","/assets/polling-BukXlHg4.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js","/assets/words-DTBwITWO.js","/assets/words-x6RG9BSQ.js"]],["^/search/?$",["/assets/Pages-C6lyAA4C.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-Dzur2mBt.js","/assets/page-CvZt-Sgk.css","/assets/page-Ov_BrP85.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]],["^/settings/?$",["/assets/KeyList-B79_faTp.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-DTZcXmav.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-CO-Bl3qu.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-BnOxwY1T.css","/assets/page-pyZOJC_V.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]],["^/skills/?$",["/assets/page-Ct-rdxJ_.css","/assets/page-GrevhlA5.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]],["^/traces/?$",["/assets/TraceBrowser-DV7_HNzK.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-DshBa7vN.css","/assets/page-xf0AZzyO.js","/assets/polling-BukXlHg4.js","/assets/shared-BiTcO0tt.css","/assets/shared-CXC6wMM_.js"]]]');

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
