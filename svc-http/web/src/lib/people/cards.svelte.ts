/** The card about somebody, which is shown beside a name while it is pointed at or has the focus. */

import type { Attachment } from 'svelte/attachments';

const SHOW_MILLISECONDS = 350;
/** Long enough to move the pointer from the name to the card. */
const HIDE_MILLISECONDS = 150;

export const CARD_ID = 'profile-card';

class Cards {
  #timer: ReturnType<typeof setTimeout> | undefined;
  current: { readonly handle: string; readonly anchor: HTMLElement } | undefined = $state.raw();

  /** Shows the card soon. */
  show(handle: string, anchor: HTMLElement, wait = SHOW_MILLISECONDS): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!anchor.isConnected) return;
      this.#leave();
      anchor.setAttribute('aria-describedby', CARD_ID);
      this.current = { handle, anchor };
    }, wait);
  }

  /** Keeps it while the pointer is on it. */
  keep(): void {
    clearTimeout(this.#timer);
  }

  /** Hides it soon. */
  hide(wait = HIDE_MILLISECONDS): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), wait);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#leave();
    this.current = undefined;
  }

  /** Hides it if it is shown for this element, which is about to go. */
  closeOf(anchor: HTMLElement): void {
    if (this.current?.anchor === anchor) this.close();
  }

  #leave(): void {
    this.current?.anchor.removeAttribute('aria-describedby');
  }
}

/** One for the whole program. */
export const cards = new Cards();

/** Shows the card about somebody at an element: `{@attach profileCard(handle)}`. */
export function profileCard(handle: string): Attachment<HTMLElement> {
  return (element) => {
    const entered = ({ pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') cards.show(handle, element);
    };
    const focused = () => {
      if (element.matches(':focus-visible')) cards.show(handle, element);
    };
    const left = () => cards.hide();
    element.addEventListener('pointerenter', entered);
    element.addEventListener('pointerleave', left);
    element.addEventListener('focus', focused);
    element.addEventListener('blur', left);
    return () => {
      element.removeEventListener('pointerenter', entered);
      element.removeEventListener('pointerleave', left);
      element.removeEventListener('focus', focused);
      element.removeEventListener('blur', left);
      cards.closeOf(element);
    };
  };
}
