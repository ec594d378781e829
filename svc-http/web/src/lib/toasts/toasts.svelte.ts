/** Short notes about what has just happened. Errors stay until they are dismissed. */

export interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'failed';
  readonly text: string;
  readonly action?: { readonly title: string; readonly run: () => void };
}

const SHOWN_MILLISECONDS = 6_000;

export class Toasts {
  #next = 1;
  all: readonly Toast[] = $state.raw([]);

  done(text: string, action?: Toast['action']): void {
    const id = this.#add({ kind: 'done', text, ...(action ? { action } : {}) });
    setTimeout(() => this.dismiss(id), SHOWN_MILLISECONDS);
  }

  failed(text: string, action?: Toast['action']): void {
    this.#add({ kind: 'failed', text, ...(action ? { action } : {}) });
  }

  dismiss(id: number): void {
    this.all = this.all.filter((toast) => toast.id !== id);
  }

  #add(toast: Omit<Toast, 'id'>): number {
    const id = this.#next++;
    // The same failure again replaces the one before instead of piling up.
    const others = this.all.filter(({ kind, text }) => kind !== toast.kind || text !== toast.text);
    this.all = [...others, { ...toast, id }].slice(-4);
    return id;
  }
}
