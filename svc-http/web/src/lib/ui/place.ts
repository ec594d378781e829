/** Puts a popover next to what opened it, inside the window. */

const GAP = 4;
const MARGIN = 8;

export function placeBeside(popover: HTMLElement, anchor: Element): void {
  const target = anchor.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const below = target.bottom + GAP;
  const above = target.top - GAP - height;
  const top = below + height + MARGIN <= innerHeight || above < MARGIN ? below : above;
  const left = target.left + width + MARGIN <= innerWidth ? target.left : target.right - width;
  popover.style.top = `${Math.max(MARGIN, Math.min(top, innerHeight - height - MARGIN))}px`;
  popover.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
}
