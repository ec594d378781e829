// Runs beside the program's download: asks for what the page at this address needs before the program can. What
// is asked for here is taken over by `early.ts`. `scripts/start.mjs` puts in the files of the pages and writes
// it to `dist/start.js`.
(function () {
  /** @type {[string, string[]][]} */
  const PAGES = JSON.parse('[["^//?$",["/assets/SpanPicker-B0GYoBqd.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/api-CuN23vmC.js","/assets/first-run.svelte-Dc3sIRge.js","/assets/messages-1jD9Lm83.js","/assets/messages-DTDvWtjs.css","/assets/page--OF4ye2Q.js","/assets/page-yQdcNu7j.css","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/admin/health/?$",["/assets/RunTableFrame-BPE0y9Il.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/WorkerTable-DbLOYlIc.css","/assets/WorkerTable-DgR5zJVE.js","/assets/page-CYHkPMeN.js","/assets/page-DUd8BqGC.css","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/agents/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-DCOtJOjt.js","/assets/FirstAgent-BULWmC69.js","/assets/FirstAgent-DyhZp_X-.css","/assets/KeyOnce-DymKi1q8.js","/assets/KeyOnce-NWqIrhss.css","/assets/SaveText-D55GQrMi.js","/assets/first-run.svelte-Dc3sIRge.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-Dq2H1fuH.css","/assets/page-LDC6bboe.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/sightings.svelte-DuInUDNZ.js"]],["^/agents/[^/]+/?$",["/assets/Connect-BXmvQMO7.css","/assets/Connect-DCOtJOjt.js","/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-DmEajbBe.js","/assets/KeyOnce-DymKi1q8.js","/assets/KeyOnce-NWqIrhss.css","/assets/LoopNote-DTjvXb2E.js","/assets/RunTableFrame-BPE0y9Il.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/SaveText-D55GQrMi.js","/assets/TraceBrowser-BHJe5let.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-B0X6wx0q.js","/assets/page-ZuvWl4-g.css","/assets/polling-BukXlHg4.js","/assets/reactive.svelte-BydnAmrk.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/sightings.svelte-DuInUDNZ.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js","/assets/words-x6RG9BSQ.js"]],["^/agents/[^/]+/with/[^/]+/?$",["/assets/messages-1jD9Lm83.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-BJP4HJTI.js","/assets/page-Bz-4XLCD.css","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/analytics/?$",["/assets/SpanPicker-B0GYoBqd.js","/assets/SpanPicker-BG5Sh9Py.css","/assets/page-BykSYtqH.css","/assets/page-Df5XyoEh.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/c/[^/]+/?$",["/assets/LevelMenu-UJ1xd2GQ.js","/assets/messages-1jD9Lm83.js","/assets/messages-DTDvWtjs.css","/assets/page-B6yDlnEu.css","/assets/page-BsDs8QQt.js","/assets/render-B99AvhV2.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/channels/?$",["/assets/page-CCEqhgRx.js","/assets/page-CL_RHPD5.css","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/dead-letters/?$",["/assets/Pages-Ci7cMZkC.js","/assets/Pages-OhiWWVB3.css","/assets/messages-1jD9Lm83.js","/assets/messages-DTDvWtjs.css","/assets/page-DxiYgbI1.js","/assets/page-qqDZaCiw.css","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/dm/[^/]+/?$",["/assets/LevelMenu-UJ1xd2GQ.js","/assets/messages-1jD9Lm83.js","/assets/messages-DTDvWtjs.css","/assets/page-Ba_F5LZz.css","/assets/page-Cok1ZVD_.js","/assets/render-B99AvhV2.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/docs/?$",["/assets/page-BKUVxkOK.css","/assets/page-DOJNdCWr.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/goals/?$",["/assets/RunTableFrame-BPE0y9Il.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/SpendBars-D7lPABwh.js","/assets/SpendBars-Dj7jD8m-.css","/assets/api-CuN23vmC.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-CtN1swEm.js","/assets/page-DytPf2Qr.css","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/goals/[^/]+/?$",["/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-D_6Kv3Bi.js","/assets/ProvideSecretDialog-8QFrjtv8.js","/assets/ProvideSecretDialog-DRfOT4Kb.css","/assets/SpendBars-D7lPABwh.js","/assets/SpendBars-Dj7jD8m-.css","/assets/api-CuN23vmC.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-B5Ff6U2U.js","/assets/page-DDpifQX0.css","/assets/render-B99AvhV2.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/hub/?$",["/assets/WorkerTable-DbLOYlIc.css","/assets/WorkerTable-DgR5zJVE.js","/assets/page-B1dWdtEy.js","/assets/page-gqbdekKB.css","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/loops/?$",["/assets/LoopNote-DTjvXb2E.js","/assets/page-C2NZ0l7H.css","/assets/page-DELz7T4t.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/words-DTBwITWO.js","/assets/words-DlMhm8cr.js"]],["^/machines/?$",["/assets/page-BVcj_PWu.css","/assets/page-DiatSei8.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/runs/?$",["/assets/RunTableFrame-BPE0y9Il.js","/assets/RunTableFrame-BYpXTcnZ.css","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-C1tFUTO4.css","/assets/page-CKcdwOIi.js","/assets/reactive.svelte-BydnAmrk.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/words-DTBwITWO.js"]],["^/runs/[^/]+/?$",["/assets/SaveText-D55GQrMi.js","/assets/messages-1jD9Lm83.js","/assets/messages-DTDvWtjs.css","/assets/page-CPZzTgxu.js","/assets/page-DUCvn0Tu.css","/assets/polling-BukXlHg4.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/words-DTBwITWO.js","/assets/words-x6RG9BSQ.js"]],["^/search/?$",["/assets/Pages-Ci7cMZkC.js","/assets/Pages-OhiWWVB3.css","/assets/messages-1jD9Lm83.js","/assets/messages-DTDvWtjs.css","/assets/page-CvZt-Sgk.css","/assets/page-D7lpnF2P.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/snippet-D3nmhslD.js"]],["^/settings/?$",["/assets/KeyList-BWLyUtPQ.css","/assets/KeyList-DmEajbBe.js","/assets/KeyOnce-DymKi1q8.js","/assets/KeyOnce-NWqIrhss.css","/assets/ShortcutList-CLtID7bx.css","/assets/ShortcutList-dKOKj6PI.js","/assets/browser-name-BbOCq1Sm.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-BnOxwY1T.css","/assets/page-BoFa-VPB.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/skills/?$",["/assets/page-Ct-rdxJ_.css","/assets/page-ZwpkQiRX.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/traces/?$",["/assets/TraceBrowser-BHJe5let.js","/assets/TraceBrowser-di-ClXyF.css","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-DshBa7vN.css","/assets/page-Dtf8xKlV.js","/assets/polling-BukXlHg4.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js"]],["^/wiki/?$",["/assets/NoteDialog-CB3EjWiT.css","/assets/VerifyDialog-BQLxaqgS.js","/assets/completion-CMML3_c_.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-Bj5j7-Ep.css","/assets/page-D-rh5oQs.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/slug-Dr43Xl3r.js","/assets/snippet-D3nmhslD.js","/assets/words-DQKgJtgO.js"]],["^/wiki/-/new/?$",["/assets/ArticleText-CFWAa79a.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/DiffView-Cd3Aoj9u.js","/assets/DiffView-DWDKp8eZ.css","/assets/EditorView-DYl_HvkI.css","/assets/EditorView-e1RhziXO.js","/assets/completion-CMML3_c_.js","/assets/messages-1jD9Lm83.js","/assets/messages-DTDvWtjs.css","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-CGXBz361.js","/assets/page-DyzFG66r.css","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/slug-Dr43Xl3r.js","/assets/words-DQKgJtgO.js"]],["^/wiki/[^/]+/?$",["/assets/ArticleText-CFWAa79a.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-D_6Kv3Bi.js","/assets/VerifyDialog-BQLxaqgS.js","/assets/page-BS2hocd5.js","/assets/page-DbbYhPlh.css","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/slug-Dr43Xl3r.js","/assets/words-DQKgJtgO.js"]],["^/wiki/[^/]+/edit/?$",["/assets/ArticleText-CFWAa79a.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/DiffView-Cd3Aoj9u.js","/assets/DiffView-DWDKp8eZ.css","/assets/EditorView-DYl_HvkI.css","/assets/EditorView-e1RhziXO.js","/assets/completion-CMML3_c_.js","/assets/messages-1jD9Lm83.js","/assets/messages-DTDvWtjs.css","/assets/page-D1OJrU51.js","/assets/page-DyzFG66r.css","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/slug-Dr43Xl3r.js","/assets/words-DQKgJtgO.js"]],["^/wiki/[^/]+/history/?$",["/assets/DiffView-Cd3Aoj9u.js","/assets/DiffView-DWDKp8eZ.css","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-D_6Kv3Bi.js","/assets/RestoreDialog-CasvUf00.js","/assets/own-query.svelte-mYqeH3Ja.js","/assets/page-BKdSmwz-.css","/assets/page-DxOzhRer.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/slug-Dr43Xl3r.js","/assets/words-DQKgJtgO.js"]],["^/wiki/[^/]+/history/[^/]+/?$",["/assets/ArticleText-CFWAa79a.js","/assets/ArticleText-Dz8Cf2WS.css","/assets/NoteDialog-CB3EjWiT.css","/assets/NoteDialog-D_6Kv3Bi.js","/assets/RestoreDialog-CasvUf00.js","/assets/page-CNNdEFn6.css","/assets/page-w4ruCtBT.js","/assets/shared-CXyeZe0m.css","/assets/shared-DbIFgfyK.js","/assets/slug-Dr43Xl3r.js"]]]');

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
