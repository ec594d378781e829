/** Whether Enter sends or begins a line. */

type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>;

/** Keyboards on the screen have no Shift and Enter together: there Enter begins a line, and the button sends. */
export function isSending(press: KeyPress, isOnScreen: boolean): boolean {
  if (press.key !== 'Enter' || press.shiftKey || press.altKey) return false;
  return !isOnScreen || press.ctrlKey || press.metaKey;
}
