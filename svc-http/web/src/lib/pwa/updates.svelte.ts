/** The installed program: it is kept for times without a connection, and tells when there is a newer one. */

type Container = Pick<ServiceWorkerContainer, 'register' | 'addEventListener' | 'removeEventListener'> & {
  readonly controller: ServiceWorker | null;
};

const INSTALL_AFTER_MILLISECONDS = 4_000;

export class Updates {
  readonly #container: Container | undefined;
  readonly #reload: () => void;
  #registration: ServiceWorkerRegistration | undefined;
  #accepted = false;

  /** A newer version waits for the person to take it. */
  available = $state(false);

  /** Browsers have no container for pages without TLS. */
  constructor(container: Container | undefined, reload: () => void) {
    this.#container = container;
    this.#reload = reload;
  }

  start(): () => void {
    const container = this.#container;
    if (!container) return () => undefined;
    const changed = () => {
      // Another tab may have taken the new version: this one goes on with what it has until it is asked.
      if (this.#accepted) this.#reload();
    };
    container.addEventListener('controllerchange', changed);
    // The worker fetches the whole program, which the page that is being opened must not have to wait for.
    const timer = setTimeout(() => void this.#register(container), INSTALL_AFTER_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      container.removeEventListener('controllerchange', changed);
    };
  }

  /** Looks for a newer version; the browser does so by itself only now and then. */
  look(): void {
    void this.#registration?.update().catch(() => undefined);
  }

  /** Loads the newer version. */
  take(): void {
    this.#accepted = true;
    const waiting = this.#registration?.waiting;
    if (waiting) waiting.postMessage('activate');
    else this.#reload();
  }

  async #register(container: Container): Promise<void> {
    // Without a place to keep it, or where the person forbids it, everything works but offline.
    const registration = await container.register('/sw.js').catch(() => undefined);
    if (!registration) return;
    this.#registration = registration;
    if (registration.waiting && container.controller) this.available = true;
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing;
      worker?.addEventListener('statechange', () => {
        // The first one ever is no update.
        if (worker.state === 'installed' && container.controller) this.available = true;
      });
    });
  }
}
