// Runs before the first paint so that a remembered theme and width of the sidebar do not flash. It stays apart from the
// bundle because a module script would run too late, and inline script is forbidden by the policy.
// The keys and the attribute are those of src/lib/theme/theme.svelte.ts and src/lib/shell/side-width.ts.
(function () {
  try {
    const choice = localStorage.getItem('svc.theme');
    if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice;
    const width = Number(localStorage.getItem('svc.side-width'));
    if (width >= 200 && width <= 420)
      document.documentElement.style.setProperty('--side-width', width + 'px');
  } catch {
    // Storage may be switched off; the system's theme applies then.
  }
})();
