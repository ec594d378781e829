/** Working through a list by keyboard: `e` presses the button of an item that is marked `data-done`. */

/** Presses the button of the item with the focus, or of the first one that has such a button, and goes on to the next. */
export function finishItem(list: HTMLElement): void {
  const items = itemsIn(list);
  const focused = items.findIndex((item) => entryOf(item)?.contains(document.activeElement));
  const index = focused >= 0 ? focused : items.findIndex((item) => doneOf(item) !== null);
  const item = items[index];
  const button = item && doneOf(item);
  if (!button) return;
  (items[index + 1] ?? items[index - 1])?.focus();
  button.click();
}

/** Lets the arrow keys move between the items of a list while one of them has the focus. The result stops that. */
export function moveByArrows(list: HTMLElement): () => void {
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const items = itemsIn(list);
    const index = items.findIndex((item) => entryOf(item)?.contains(document.activeElement));
    const next = index < 0 ? undefined : items[index + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  list.addEventListener('keydown', move);
  return () => list.removeEventListener('keydown', move);
}

function itemsIn(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[data-item]')];
}

function entryOf(item: HTMLElement): HTMLElement | null {
  return item.closest('li');
}

function doneOf(item: HTMLElement): HTMLElement | null {
  return entryOf(item)?.querySelector<HTMLElement>('[data-done]:not([aria-disabled="true"])') ?? null;
}
