// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-Z8-JBMy3.js","/assets/api-BPm4ZgD3.js","/assets/first-run.svelte-ExAXa8o2.js","/assets/messages-DTDvWtjs.css","/assets/messages-iwde7JsE.js","/assets/page-D3HI990s.js","/assets/page-yQdcNu7j.css","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/admin/health/?$",["/assets/RunTableFrame-BPE0y9Il.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/WorkerTable-BSSiEJ2Z.js","/assets/WorkerTable-BrKLpcJC.css","/assets/page-DUd8BqGC.css","/assets/page-Q1WftN59.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-m_Oo0ELj.js","/assets/FirstAgent-DyhZp_X-.css","/assets/FirstAgent-g05YZKiZ.js","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-x2DTin7K.js","/assets/SaveText-Ddl5ifwK.js","/assets/first-run.svelte-ExAXa8o2.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-Dq2H1fuH.css","/assets/page-d6xQj20H.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/sightings.svelte-Dc6XN-gg.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-m_Oo0ELj.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-jnONSlPN.js","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-x2DTin7K.js","/assets/LoopNote-DSbXI6CR.js","/assets/RunTableFrame-BPE0y9Il.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/SaveText-Ddl5ifwK.js","/assets/TraceBrowser-Cwu_cFgz.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-DPL6Ofz7.js","/assets/page-ZuvWl4-g.css","/assets/polling-BukXlHg4.js","/assets/reactive.svelte-DwnNrgaZ.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/sightings.svelte-Dc6XN-gg.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-DTDvWtjs.css","/assets/messages-iwde7JsE.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-BJCDJalM.js","/assets/page-Bz-4XLCD.css","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/analytics/?$",["/assets/SpanPicker-BG5Sh9Py.css","/assets/SpanPicker-Z8-JBMy3.js","/assets/page-BykSYtqH.css","/assets/page-CUBTRNwe.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/c/[^/]+/?$",["/assets/LevelMenu-B0OaDEYz.js","/assets/messages-DTDvWtjs.css","/assets/messages-iwde7JsE.js","/assets/page-B6yDlnEu.css","/assets/page-CvOrJSz9.js","/assets/render-B99AvhV2.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/channels/?$",["/assets/page-CL_RHPD5.css","/assets/page-Cko1SN1W.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/dead-letters/?$",["/assets/Pages-Cfyd9zIS.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-iwde7JsE.js","/assets/page-BncCUcqm.js","/assets/page-qqDZaCiw.css","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/dm/[^/]+/?$",["/assets/LevelMenu-B0OaDEYz.js","/assets/messages-DTDvWtjs.css","/assets/messages-iwde7JsE.js","/assets/page-Ba_F5LZz.css","/assets/page-DksxNohI.js","/assets/render-B99AvhV2.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-CaI25FGs.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/goals/?$",["/assets/RunTableFrame-BPE0y9Il.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/SpendBars-B4a-LJGZ.js","/assets/SpendBars-Dj7jD8m-.css","/assets/api-BPm4ZgD3.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-CWyuxT18.js","/assets/page-DytPf2Qr.css","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/goals/[^/]+/?$",["/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-ON7rJ90m.js","/assets/ProvideSecretDialog-BQM4Y-72.js","/assets/ProvideSecretDialog-DRfOT4Kb.css","/assets/SpendBars-B4a-LJGZ.js","/assets/SpendBars-Dj7jD8m-.css","/assets/api-BPm4ZgD3.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-Bm9IaDvx.js","/assets/page-DDpifQX0.css","/assets/render-B99AvhV2.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/hub/?$",["/assets/WorkerTable-BSSiEJ2Z.js","/assets/WorkerTable-BrKLpcJC.css","/assets/page-BOc-hMxC.js","/assets/page-gqbdekKB.css","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/loops/?$",["/assets/LoopNote-DSbXI6CR.js","/assets/page-C2NZ0l7H.css","/assets/page-CPYy6MEi.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/machines/?$",["/assets/page-4ny0S1tH.js","/assets/page-BVcj_PWu.css","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/runs/?$",["/assets/RunTableFrame-BPE0y9Il.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-C1tFUTO4.css","/assets/page-Sao5ayD0.js","/assets/reactive.svelte-DwnNrgaZ.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/words-DTBwITWO.js"]],["^/runs/[^/]+/?$",["/assets/SaveText-Ddl5ifwK.js","/assets/messages-DTDvWtjs.css","/assets/messages-iwde7JsE.js","/assets/page-DUCvn0Tu.css","/assets/page-uNqQ2jxV.js","/assets/polling-BukXlHg4.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/words-DTBwITWO.js","/assets/words-x6RG9BSQ.js"]],["^/search/?$",["/assets/Pages-Cfyd9zIS.js","/assets/Pages-OhiWWVB3.css","/assets/messages-DTDvWtjs.css","/assets/messages-iwde7JsE.js","/assets/page-CvZt-Sgk.css","/assets/page-LI6dfQlX.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/snippet-D3nmhslD.js"]],["^/settings/?$",["/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-jnONSlPN.js","/assets/KeyOnce-NWqIrhss.css","/assets/KeyOnce-x2DTin7K.js","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-wcTQ4jBr.js","/assets/browser-name-BbOCq1Sm.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-BnOxwY1T.css","/assets/page-C-oOqetG.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/skills/?$",["/assets/page-6Eli8eaQ.js","/assets/page-Ct-rdxJ_.css","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/traces/?$",["/assets/TraceBrowser-Cwu_cFgz.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-7VI6J6xP.js","/assets/page-DshBa7vN.css","/assets/polling-BukXlHg4.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js"]],["^/wiki/?$",["/assets/NoteDialog-CB3EjWiT.css","/assets/VerifyDialog-CqhBJDFm.js","/assets/completion-CMML3_c_.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-Bj5j7-Ep.css","/assets/page-DCJGnYlK.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/slug-DmK2_KES.js","/assets/snippet-D3nmhslD.js","/assets/words-2xwqndVJ.js"]],["^/wiki/-/new/?$",["/assets/ArticleText-DTD2VsCL.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/DiffView-BIG0xo6H.js","/assets/DiffView-DWDKp8eZ.css","/assets/EditorView-BmJ9UozG.js","/assets/EditorView-DYl_HvkI.css","/assets/completion-CMML3_c_.js","/assets/messages-DTDvWtjs.css","/assets/messages-iwde7JsE.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-CijDVgzQ.js","/assets/page-DyzFG66r.css","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/slug-DmK2_KES.js","/assets/words-2xwqndVJ.js"]],["^/wiki/[^/]+/?$",["/assets/ArticleText-DTD2VsCL.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-ON7rJ90m.js","/assets/VerifyDialog-CqhBJDFm.js","/assets/page-Bi523nx7.js","/assets/page-DbbYhPlh.css","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/slug-DmK2_KES.js","/assets/words-2xwqndVJ.js"]],["^/wiki/[^/]+/edit/?$",["/assets/ArticleText-DTD2VsCL.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/DiffView-BIG0xo6H.js","/assets/DiffView-DWDKp8eZ.css","/assets/EditorView-BmJ9UozG.js","/assets/EditorView-DYl_HvkI.css","/assets/completion-CMML3_c_.js","/assets/messages-DTDvWtjs.css","/assets/messages-iwde7JsE.js","/assets/page-DyzFG66r.css","/assets/page-_UJ3hsiI.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/slug-DmK2_KES.js","/assets/words-2xwqndVJ.js"]],["^/wiki/[^/]+/history/?$",["/assets/DiffView-BIG0xo6H.js","/assets/DiffView-DWDKp8eZ.css","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-ON7rJ90m.js","/assets/RestoreDialog-CiGOiTsb.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-BKdSmwz-.css","/assets/page-CXSe8yhX.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/slug-DmK2_KES.js","/assets/words-2xwqndVJ.js"]],["^/wiki/[^/]+/history/[^/]+/?$",["/assets/ArticleText-DTD2VsCL.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-ON7rJ90m.js","/assets/RestoreDialog-CiGOiTsb.js","/assets/page-CNNdEFn6.css","/assets/page-Wksz2kTi.js","/assets/shared-CXyeZe0m.css","/assets/shared-CiGzUjOy.js","/assets/slug-DmK2_KES.js"]]]');

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
