// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-Bav1U9GD.js","/assets/api-CpuBZur9.js","/assets/first-run.svelte-RbUTruVR.js","/assets/messages-DTDvWtjs.css","/assets/messages-qxa-tU8M.js","/assets/page-j-EFDSRf.js","/assets/page-yQdcNu7j.css","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/agents/?$",["/assets/Connect-5UpcvGF9.js","/assets/Connect-BXmvQMO7.css","/assets/FirstAgent-BmtjDkBx.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-CuT9DDnr.js","/assets/KeyOnce-NWqIrhss.css","/assets/SaveText-DNITouzi.js","/assets/first-run.svelte-RbUTruVR.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-CAn7_qbt.js","/assets/page-Dq2H1fuH.css","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js","/assets/sightings.svelte-CgBHimH_.js"]],["^/agents/[^/]+/?$",["/assets/Connect-5UpcvGF9.js","/assets/Connect-BXmvQMO7.css","/assets/KeyList-7beQc1oc.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-CuT9DDnr.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-C4eRqTzl.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/RunTableFrame-D9ovROJb.js","/assets/SaveText-DNITouzi.js","/assets/TraceBrowser-0v-EgyQX.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-BL2MwhkL.js","/assets/page-ZuvWl4-g.css","/assets/polling-BukXlHg4.js","/assets/reactive.svelte-DqUtmv3G.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js","/assets/sightings.svelte-CgBHimH_.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-qxa-tU8M.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-BtnNqIEs.js","/assets/page-Bz-4XLCD.css","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-Bav1U9GD.js","/assets/page-BSWbKa9-.js","/assets/page-BykSYtqH.css","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]],["^/c/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-qxa-tU8M.js","/assets/page-B6yDlnEu.css","/assets/page-Dn3Y_s2J.js","/assets/render-DMbJFbrF.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]],["^/channels/?$",["/assets/page-CL_RHPD5.css","/assets/page-DSEONBm3.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]],["^/dead-letters/?$",["/assets/Pages-OhiWWVB3.css","/assets/Pages-raQud4Mn.js","/assets/messages-DTDvWtjs.css","/assets/messages-qxa-tU8M.js","/assets/page-BcbyD08b.js","/assets/page-qqDZaCiw.css","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]],["^/dm/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-qxa-tU8M.js","/assets/page-DCdC3AM8.css","/assets/page-HbcabIvF.js","/assets/render-DMbJFbrF.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-HMzbKpZK.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]],["^/goals/?$",["/assets/RunTableFrame-BYpXTcnZ.css","/assets/RunTableFrame-D9ovROJb.js","/assets/SpendBars-CKg06jPC.js","/assets/SpendBars-Dj7jD8m-.css","/assets/api-CpuBZur9.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-DytPf2Qr.css","/assets/page-tltTTZwY.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/goals/[^/]+/?$",["/assets/ProvideSecretDialog-DRfOT4Kb.css","/assets/ProvideSecretDialog-NrV38xF_.js","/assets/SpendBars-CKg06jPC.js","/assets/SpendBars-Dj7jD8m-.css","/assets/api-CpuBZur9.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-45ixAqeK.js","/assets/page-CUs0up_w.css","/assets/render-DMbJFbrF.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/hub/?$",["/assets/page-BmwJ1bsi.js","/assets/page-Dqiix_vD.css","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]],["^/loops/?$",["/assets/LoopNote-C4eRqTzl.js","/assets/page-C2NZ0l7H.css","/assets/page-CRQK2OqQ.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-DoiflPix.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]],["^/runs/?$",["/assets/RunTableFrame-BYpXTcnZ.css","/assets/RunTableFrame-D9ovROJb.js","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-C1tFUTO4.css","/assets/page-cSoTlw56.js","/assets/reactive.svelte-DqUtmv3G.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js","/assets/words-DTBwITWO.js"]],["^/runs/[^/]+/?$",["/assets/SaveText-DNITouzi.js","/assets/messages-DTDvWtjs.css","/assets/messages-qxa-tU8M.js","/assets/page-CKOZckOB.js","/assets/page-DUCvn0Tu.css","/assets/polling-BukXlHg4.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js","/assets/words-DTBwITWO.js","/assets/words-x6RG9BSQ.js"]],["^/search/?$",["/assets/Pages-OhiWWVB3.css","/assets/Pages-raQud4Mn.js","/assets/messages-DTDvWtjs.css","/assets/messages-qxa-tU8M.js","/assets/page-CKTi9Sb6.js","/assets/page-CvZt-Sgk.css","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]],["^/settings/?$",["/assets/KeyList-7beQc1oc.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyOnce-CuT9DDnr.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-B_ocwZfL.js","/assets/ShortcutList-CLtID7bx.css","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-BnOxwY1T.css","/assets/page-DO6zm0XS.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]],["^/skills/?$",["/assets/page-CbF8uwv6.js","/assets/page-Ct-rdxJ_.css","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]],["^/traces/?$",["/assets/TraceBrowser-0v-EgyQX.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-DwFT8TpX.js","/assets/page-BGyJtqh2.js","/assets/page-DshBa7vN.css","/assets/polling-BukXlHg4.js","/assets/shared-BiTcO0tt.css","/assets/shared-g4vEtEAn.js"]]]');

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
