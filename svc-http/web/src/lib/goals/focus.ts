/**
 * Gives the focus a place when what had it is gone, such as the button of a decision that was taken. It waits until
 * the page is drawn and windows are closed.
 */
export function focusIfLost(focus: () => void): void {
  setTimeout(() => {
    if (document.activeElement === null || document.activeElement === document.body) focus();
  });
}
