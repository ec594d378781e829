// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-tJUCQmwV.js","/assets/api-Bsk1J31E.js","/assets/first-run.svelte-CpAeWl4B.js","/assets/messages-DTDvWtjs.css","/assets/messages-kXqYBEyd.js","/assets/page-D44P0VZK.js","/assets/page-yQdcNu7j.css","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-DX91Xpld.js","/assets/FirstAgent-DyXEVASc.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-rwiwMDP9.js","/assets/SaveText-CE0fly4J.js","/assets/first-run.svelte-CpAeWl4B.js","/assets/own-query.svelte-BBDo8k9R.js","/assets/page-4yceH9l2.js","/assets/page-Dq2H1fuH.css","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/sightings.svelte-CIvyHKe_.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-DX91Xpld.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-g-Tp3fYL.js","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-rwiwMDP9.js","/assets/LoopNote-BKdhAN54.js","/assets/RunTableFrame-BLL9xr2u.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/SaveText-CE0fly4J.js","/assets/TraceBrowser-BCWvM6Ef.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BBDo8k9R.js","/assets/page-CgIG_zwk.js","/assets/page-ZuvWl4-g.css","/assets/polling-BukXlHg4.js","/assets/reactive.svelte-DAd119fV.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/sightings.svelte-CIvyHKe_.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-kXqYBEyd.js","/assets/own-query.svelte-BBDo8k9R.js","/assets/page-Bz-4XLCD.css","/assets/page-PlYXFu5w.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-tJUCQmwV.js","/assets/page-BykSYtqH.css","/assets/page-CWzspruk.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css"]],["^/c/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-kXqYBEyd.js","/assets/page-B6yDlnEu.css","/assets/page-DpsLTSFg.js","/assets/render-B99AvhV2.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css"]],["^/channels/?$",["/assets/page-BbEi0Au8.js","/assets/page-CL_RHPD5.css","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css"]],["^/dead-letters/?$",["/assets/Pages-DkysTQQw.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-kXqYBEyd.js","/assets/page-Cqj7FlDM.js","/assets/page-qqDZaCiw.css","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css"]],["^/dm/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-kXqYBEyd.js","/assets/page-CwIEa7MK.js","/assets/page-DCdC3AM8.css","/assets/render-B99AvhV2.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-DF_JmGnM.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css"]],["^/goals/?$",["/assets/RunTableFrame-BLL9xr2u.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/SpendBars-Clu-EkYj.js","/assets/SpendBars-Dj7jD8m-.css","/assets/api-Bsk1J31E.js","/assets/own-query.svelte-BBDo8k9R.js","/assets/page-DytPf2Qr.css","/assets/page-bPwBINic.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/goals/[^/]+/?$",["/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-pXR8498-.js","/assets/ProvideSecretDialog-Cxxz9zGm.js","/assets/ProvideSecretDialog-DRfOT4Kb.css","/assets/SpendBars-Clu-EkYj.js","/assets/SpendBars-Dj7jD8m-.css","/assets/api-Bsk1J31E.js","/assets/own-query.svelte-BBDo8k9R.js","/assets/page-DDpifQX0.css","/assets/page-DKi3oPsi.js","/assets/render-B99AvhV2.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/hub/?$",["/assets/page-Cmmugi7r.js","/assets/page-Dqiix_vD.css","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css"]],["^/loops/?$",["/assets/LoopNote-BKdhAN54.js","/assets/page-C2NZ0l7H.css","/assets/page-DPqEOQTq.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-DENINPza.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css"]],["^/runs/?$",["/assets/RunTableFrame-BLL9xr2u.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/own-query.svelte-BBDo8k9R.js","/assets/page-BPBNGvNF.js","/assets/page-C1tFUTO4.css","/assets/reactive.svelte-DAd119fV.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/words-DTBwITWO.js"]],["^/runs/[^/]+/?$",["/assets/SaveText-CE0fly4J.js","/assets/messages-DTDvWtjs.css","/assets/messages-kXqYBEyd.js","/assets/page-C7LakYz8.js","/assets/page-DUCvn0Tu.css","/assets/polling-BukXlHg4.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/words-DTBwITWO.js","/assets/words-x6RG9BSQ.js"]],["^/search/?$",["/assets/Pages-DkysTQQw.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-kXqYBEyd.js","/assets/page-BmoNYY6Z.js","/assets/page-CvZt-Sgk.css","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/snippet-D3nmhslD.js"]],["^/settings/?$",["/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-g-Tp3fYL.js","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-rwiwMDP9.js","/assets/ShortcutList-C-TPByNu.js","/assets/ShortcutList-CLtID7bx.css","/assets/own-query.svelte-BBDo8k9R.js","/assets/page-BnOxwY1T.css","/assets/page-CoHUVvS3.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css"]],["^/skills/?$",["/assets/page-B9vjJNzn.js","/assets/page-Ct-rdxJ_.css","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css"]],["^/traces/?$",["/assets/TraceBrowser-BCWvM6Ef.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-BBDo8k9R.js","/assets/page-42IoFca8.js","/assets/page-DshBa7vN.css","/assets/polling-BukXlHg4.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css"]],["^/wiki/?$",["/assets/NoteDialog-CB3EjWiT.css","/assets/VerifyDialog-28ZbvG9T.js","/assets/completion-CMML3_c_.js","/assets/own-query.svelte-BBDo8k9R.js","/assets/page-5q58McuV.js","/assets/page-Bj5j7-Ep.css","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/slug-BVsS1JhX.js","/assets/snippet-D3nmhslD.js","/assets/words-DkE7iUXI.js"]],["^/wiki/-/new/?$",["/assets/ArticleText-BmNMDAxd.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/DiffView-DWDKp8eZ.css","/assets/DiffView-DfRQM9Yq.js","/assets/EditorView-CRoT2tVm.js","/assets/EditorView-DYl_HvkI.css","/assets/completion-CMML3_c_.js","/assets/messages-DTDvWtjs.css","/assets/messages-kXqYBEyd.js","/assets/own-query.svelte-BBDo8k9R.js","/assets/page-C7yL6aWT.js","/assets/page-DyzFG66r.css","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/slug-BVsS1JhX.js","/assets/words-DkE7iUXI.js"]],["^/wiki/[^/]+/?$",["/assets/ArticleText-BmNMDAxd.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-pXR8498-.js","/assets/VerifyDialog-28ZbvG9T.js","/assets/page-DbbYhPlh.css","/assets/page-L_l_n4Do.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/slug-BVsS1JhX.js","/assets/words-DkE7iUXI.js"]],["^/wiki/[^/]+/edit/?$",["/assets/ArticleText-BmNMDAxd.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/DiffView-DWDKp8eZ.css","/assets/DiffView-DfRQM9Yq.js","/assets/EditorView-CRoT2tVm.js","/assets/EditorView-DYl_HvkI.css","/assets/completion-CMML3_c_.js","/assets/messages-DTDvWtjs.css","/assets/messages-kXqYBEyd.js","/assets/page-BMSEWljF.js","/assets/page-DyzFG66r.css","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/slug-BVsS1JhX.js","/assets/words-DkE7iUXI.js"]],["^/wiki/[^/]+/history/?$",["/assets/DiffView-DWDKp8eZ.css","/assets/DiffView-DfRQM9Yq.js","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-pXR8498-.js","/assets/RestoreDialog-tZU9BwHB.js","/assets/own-query.svelte-BBDo8k9R.js","/assets/page-BKdSmwz-.css","/assets/page-CGhom4d-.js","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/slug-BVsS1JhX.js","/assets/words-DkE7iUXI.js"]],["^/wiki/[^/]+/history/[^/]+/?$",["/assets/ArticleText-BmNMDAxd.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-pXR8498-.js","/assets/RestoreDialog-tZU9BwHB.js","/assets/page-0o-JUy5Y.js","/assets/page-CNNdEFn6.css","/assets/shared-B9WbGYBd.js","/assets/shared-BH6hogqy.css","/assets/slug-BVsS1JhX.js"]]]');

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
