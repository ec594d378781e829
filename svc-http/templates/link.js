// Puts the code of a link into the form. The code is behind the #, which browsers do not send, so that it is in no log
// and in no referrer. Without this script the code can be typed.
(() => {
  const field = document.querySelector('input[data-code]');
  const code = location.hash.slice(1);
  if (!field || !code) return;
  field.value = code;
  field.closest('.field').hidden = true;
  const next = document.querySelector('input[data-first]');
  if (next) next.focus();
  history.replaceState(null, '', location.pathname);
})();
