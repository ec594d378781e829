// Runs before the first paint so that a remembered theme does not flash. It stays apart from the
// bundle because a module script would run too late, and inline script is forbidden by the policy.
// The key and the attribute are those of src/lib/theme/theme.svelte.ts.
(function () {
  try {
    const choice = localStorage.getItem('svc.theme');
    if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice;
  } catch {
    // Storage may be switched off; the system's theme applies then.
  }
})();
