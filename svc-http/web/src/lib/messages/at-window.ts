/** Whether somebody is at this window: it is on screen, and what is typed goes there. */
export function isAtWindow(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}
