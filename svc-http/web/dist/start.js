// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-DdnBlj5b.js","/assets/api-BkJextY2.js","/assets/first-run.svelte-BXlAqfuk.js","/assets/messages-DTDvWtjs.css","/assets/messages-zvZYQx6z.js","/assets/page-DQYIXZEZ.js","/assets/page-yQdcNu7j.css","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-aNHTEndP.js","/assets/FirstAgent-BZqHrItQ.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-DHQp0Psv.js","/assets/KeyOnce-NWqIrhss.css","/assets/SaveText-aM08PvMn.js","/assets/first-run.svelte-BXlAqfuk.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-ChIFdqoA.js","/assets/page-Dq2H1fuH.css","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/sightings.svelte-C7JYnYzZ.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-aNHTEndP.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-rkeDYq3b.js","/assets/KeyOnce-DHQp0Psv.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-CKv3E7uk.js","/assets/RunTableFrame-BPE0y9Il.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/SaveText-aM08PvMn.js","/assets/TraceBrowser-D3J1cNOW.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-DIVLia9t.js","/assets/page-ZuvWl4-g.css","/assets/polling-BukXlHg4.js","/assets/reactive.svelte-Bl2K8C9n.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/sightings.svelte-C7JYnYzZ.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-zvZYQx6z.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-B_TafeWh.js","/assets/page-Bz-4XLCD.css","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-DdnBlj5b.js","/assets/page-BykSYtqH.css","/assets/page-CtY1RsJh.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js"]],["^/c/[^/]+/?$",["/assets/LevelMenu-DkI57pd5.js","/assets/messages-DTDvWtjs.css","/assets/messages-zvZYQx6z.js","/assets/page-B6yDlnEu.css","/assets/page-Dqjr1iOb.js","/assets/render-B99AvhV2.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js"]],["^/channels/?$",["/assets/page-CL_RHPD5.css","/assets/page-DAIwR2_4.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js"]],["^/dead-letters/?$",["/assets/Pages-OhiWWVB3.css","/assets/Pages-xvOjetWa.js","/assets/messages-DTDvWtjs.css","/assets/messages-zvZYQx6z.js","/assets/page-Dnl6jiaU.js","/assets/page-qqDZaCiw.css","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js"]],["^/dm/[^/]+/?$",["/assets/LevelMenu-DkI57pd5.js","/assets/messages-DTDvWtjs.css","/assets/messages-zvZYQx6z.js","/assets/page-Ba_F5LZz.css","/assets/page-DTDIz5gZ.js","/assets/render-B99AvhV2.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-DzCCbfWL.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js"]],["^/goals/?$",["/assets/RunTableFrame-BPE0y9Il.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/SpendBars-Dc44WnVo.js","/assets/SpendBars-Dj7jD8m-.css","/assets/api-BkJextY2.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-CRC3bjUz.js","/assets/page-DytPf2Qr.css","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/goals/[^/]+/?$",["/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-CpAnsPuM.js","/assets/ProvideSecretDialog-CksngSv5.js","/assets/ProvideSecretDialog-DRfOT4Kb.css","/assets/SpendBars-Dc44WnVo.js","/assets/SpendBars-Dj7jD8m-.css","/assets/api-BkJextY2.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-D-BOYTQa.js","/assets/page-DDpifQX0.css","/assets/render-B99AvhV2.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/hub/?$",["/assets/page-DFOeRr1g.js","/assets/page-Dqiix_vD.css","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js"]],["^/loops/?$",["/assets/LoopNote-CKv3E7uk.js","/assets/page-C2NZ0l7H.css","/assets/page-hj-JwFvL.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/machines/?$",["/assets/page-B2MCqseR.js","/assets/page-BVcj_PWu.css","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js"]],["^/runs/?$",["/assets/RunTableFrame-BPE0y9Il.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-C1tFUTO4.css","/assets/page-CjljpRCc.js","/assets/reactive.svelte-Bl2K8C9n.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/words-DTBwITWO.js"]],["^/runs/[^/]+/?$",["/assets/SaveText-aM08PvMn.js","/assets/messages-DTDvWtjs.css","/assets/messages-zvZYQx6z.js","/assets/page-DMNhKacj.js","/assets/page-DUCvn0Tu.css","/assets/polling-BukXlHg4.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/words-DTBwITWO.js","/assets/words-x6RG9BSQ.js"]],["^/search/?$",["/assets/Pages-OhiWWVB3.css","/assets/Pages-xvOjetWa.js","/assets/messages-DTDvWtjs.css","/assets/messages-zvZYQx6z.js","/assets/page-Bldu6qoW.js","/assets/page-CvZt-Sgk.css","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/snippet-D3nmhslD.js"]],["^/settings/?$",["/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-rkeDYq3b.js","/assets/KeyOnce-DHQp0Psv.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-CD0hR8ng.js","/assets/ShortcutList-CLtID7bx.css","/assets/browser-name-BbOCq1Sm.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-BnOxwY1T.css","/assets/page-YegFmAbm.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js"]],["^/skills/?$",["/assets/page-Ct-rdxJ_.css","/assets/page-Z5nDQ9Hu.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js"]],["^/traces/?$",["/assets/TraceBrowser-D3J1cNOW.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-DshBa7vN.css","/assets/page-Ouxr0LhM.js","/assets/polling-BukXlHg4.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js"]],["^/wiki/?$",["/assets/NoteDialog-CB3EjWiT.css","/assets/VerifyDialog-YMG-SdXI.js","/assets/completion-CMML3_c_.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-B2Aj6TZn.js","/assets/page-Bj5j7-Ep.css","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/slug-DG3nT9WO.js","/assets/snippet-D3nmhslD.js","/assets/words-DxGjCiej.js"]],["^/wiki/-/new/?$",["/assets/ArticleText-BDHQZYKW.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/DiffView-B1EE763i.js","/assets/DiffView-DWDKp8eZ.css","/assets/EditorView-DYl_HvkI.css","/assets/EditorView-h3M1Rp4O.js","/assets/completion-CMML3_c_.js","/assets/messages-DTDvWtjs.css","/assets/messages-zvZYQx6z.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-BkFt4OCs.js","/assets/page-DyzFG66r.css","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/slug-DG3nT9WO.js","/assets/words-DxGjCiej.js"]],["^/wiki/[^/]+/?$",["/assets/ArticleText-BDHQZYKW.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-CpAnsPuM.js","/assets/VerifyDialog-YMG-SdXI.js","/assets/page-DUtW56wC.js","/assets/page-DbbYhPlh.css","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/slug-DG3nT9WO.js","/assets/words-DxGjCiej.js"]],["^/wiki/[^/]+/edit/?$",["/assets/ArticleText-BDHQZYKW.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/DiffView-B1EE763i.js","/assets/DiffView-DWDKp8eZ.css","/assets/EditorView-DYl_HvkI.css","/assets/EditorView-h3M1Rp4O.js","/assets/completion-CMML3_c_.js","/assets/messages-DTDvWtjs.css","/assets/messages-zvZYQx6z.js","/assets/page-DyzFG66r.css","/assets/page-j3wq5MsX.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/slug-DG3nT9WO.js","/assets/words-DxGjCiej.js"]],["^/wiki/[^/]+/history/?$",["/assets/DiffView-B1EE763i.js","/assets/DiffView-DWDKp8eZ.css","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-CpAnsPuM.js","/assets/RestoreDialog-D5qyJreq.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-B30zTfCP.js","/assets/page-BKdSmwz-.css","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/slug-DG3nT9WO.js","/assets/words-DxGjCiej.js"]],["^/wiki/[^/]+/history/[^/]+/?$",["/assets/ArticleText-BDHQZYKW.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-CpAnsPuM.js","/assets/RestoreDialog-D5qyJreq.js","/assets/page-CNNdEFn6.css","/assets/page-D9Y3OJnv.js","/assets/shared-CXyeZe0m.css","/assets/shared-DcVhC0f6.js","/assets/slug-DG3nT9WO.js"]]]');

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
