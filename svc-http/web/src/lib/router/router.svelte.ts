/** The client-side router: which page the address bar names, and how links change it. */

import { byLiteralness, decode, matchPattern, type RouteParams } from './pattern';
import { ScrollMemory, type Scrollable } from './scroll';

export interface RouteMatch<Page> {
  readonly page: Page;
  readonly params: RouteParams;
}

/** The parts of `window` the router needs; a test gives a small stand-in. */
export type Browser = Pick<Window, 'history' | 'location' | 'addEventListener' | 'removeEventListener'> &
  Scrollable;

export interface NavigateOptions {
  replace?: boolean;
  keepScroll?: boolean;
}

export class Router<Page> {
  readonly #browser: Browser;
  readonly #pages: Readonly<Record<string, Page>>;
  readonly #patterns: readonly string[];
  readonly #scroll: ScrollMemory;
  #url: URL = $state.raw(new URL('http://localhost/'));

  readonly path: string = $derived(this.#url.pathname);
  /** The whole address on this server: path, query and fragment. */
  readonly address: string = $derived(this.#url.pathname + this.#url.search + this.#url.hash);
  /** The fragment without its `#`, decoded. */
  readonly fragment: string = $derived(decode(this.#url.hash.slice(1)) ?? this.#url.hash.slice(1));
  /** What follows the question mark. */
  readonly query: URLSearchParams = $derived(new URLSearchParams(this.#url.search));
  /** The route of the current path, or nothing when no page has that address. */
  readonly match: RouteMatch<Page> | undefined = $derived(this.#find(this.path));

  constructor(pages: Readonly<Record<string, Page>>, browser: Browser) {
    this.#browser = browser;
    this.#pages = pages;
    this.#patterns = Object.keys(pages).sort(byLiteralness);
    this.#scroll = new ScrollMemory(browser);
    this.#url = new URL(browser.location.href);
  }

  /** Follows links and the back button from now on; the result stops that. */
  start(): () => void {
    const follow = (event: Event) => this.#follow(event as MouseEvent);
    const read = () => this.#move('history');
    this.#browser.addEventListener('click', follow);
    this.#browser.addEventListener('popstate', read);
    return () => {
      this.#browser.removeEventListener('click', follow);
      this.#browser.removeEventListener('popstate', read);
    };
  }

  /**
   * Opens an address of ours without loading the document anew. `replace` leaves no step to go back to,
   * `keepScroll` stays where the person has scrolled to: for a change of the same page, such as a filter.
   */
  navigate(address: string, { replace = false, keepScroll = false }: NavigateOptions = {}): void {
    const url = new URL(address, this.#browser.location.href);
    // A link to where one already is must not cost an extra press of the back button.
    if (url.href !== this.#url.href) {
      if (replace) this.#browser.history.replaceState(null, '', url);
      else this.#browser.history.pushState(null, '', url);
    }
    if (keepScroll) this.#url = url;
    else this.#move('link');
  }

  /** Changes parts of the query of this page; an empty or missing value takes one out. */
  setQuery(changes: Readonly<Record<string, string | undefined>>, options: NavigateOptions = {}): void {
    const url = new URL(this.#url);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    this.navigate(url.href, { keepScroll: true, ...options });
  }

  /** To be called when the page of the current match is drawn. */
  arrive(): void {
    this.#scroll.arrive();
  }

  /**
   * Takes over a plain click on a link to one of our pages. The rest stays with the browser: new
   * tabs, downloads, other sites, fragments of this page, and paths that only the server knows.
   */
  #follow(event: MouseEvent): void {
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || event.button !== 0 || modified) return;

    const link = (event.target as Element | null)?.closest('a');
    if (!link?.href || link.target || link.hasAttribute('download')) return;

    const url = new URL(link.href);
    const fragmentOfThisPage = url.hash !== '' && withoutFragment(url) === withoutFragment(this.#url);
    if (url.origin !== this.#url.origin || fragmentOfThisPage || !this.#find(url.pathname)) return;

    event.preventDefault();
    this.navigate(url.href);
  }

  #find(path: string): RouteMatch<Page> | undefined {
    for (const pattern of this.#patterns) {
      const params = matchPattern(pattern, path);
      const page = this.#pages[pattern];
      if (params && page !== undefined) return { page, params };
    }
    return undefined;
  }

  #move(means: 'link' | 'history'): void {
    const left = this.#url;
    this.#url = new URL(this.#browser.location.href);
    this.#scroll.move(left, this.#url, means);
  }
}

function withoutFragment(url: URL): string {
  return url.origin + url.pathname + url.search;
}
