import { beforeEach, describe, expect, test } from 'vitest';
import { Router, type Browser } from './router.svelte';

/** A browser with an address bar, a history and nothing to draw on. */
class StandInBrowser extends EventTarget {
  entries: string[];
  index = 0;
  scrollY = 0;

  constructor(address: string) {
    super();
    this.entries = [address];
  }

  get location() {
    return { href: this.entries[this.index] };
  }

  history = {
    pushState: (_state: unknown, _title: string, url: URL) => {
      this.entries = [...this.entries.slice(0, this.index + 1), url.href];
      this.index += 1;
    },
    replaceState: (_state: unknown, _title: string, url: URL) => {
      this.entries[this.index] = url.href;
    },
  };

  scrollTo(_x: number, y: number) {
    this.scrollY = y;
  }

  back() {
    this.index -= 1;
    this.dispatchEvent(new Event('popstate'));
  }

  /** Clicks a link and tells whether the router took it over. */
  click(href: string, { link = {}, event = {} }: { link?: object; event?: object } = {}): boolean {
    const anchor = { href, target: '', hasAttribute: () => false, ...link };
    const click = new Event('click', { cancelable: true });
    Object.defineProperty(click, 'target', { value: { closest: () => anchor } });
    this.dispatchEvent(Object.assign(click, { button: 0, ...event }));
    return click.defaultPrevented;
  }
}

const pages = { '/': 'front', '/docs': 'docs', '/c/[channel]': 'channel', '/c/new': 'new channel' };

let browser: StandInBrowser;
let router: Router<string>;

beforeEach(() => {
  browser = new StandInBrowser('https://hub.test/docs#send');
  router = new Router(pages, browser as unknown as Browser);
  return router.start();
});

test('starts at the address of the browser', () => {
  expect(router.match).toEqual({ page: 'docs', params: {} });
  expect(router.fragment).toBe('send');
  expect(router.address).toBe('/docs#send');
});

test('navigating changes the address and the match', () => {
  router.navigate('/c/general');
  expect(browser.location.href).toBe('https://hub.test/c/general');
  expect(router.match).toEqual({ page: 'channel', params: { channel: 'general' } });
});

test('the literal route wins over the one with a parameter', () => {
  router.navigate('/c/new');
  expect(router.match?.page).toBe('new channel');
});

test('an unknown path matches nothing', () => {
  router.navigate('/nowhere');
  expect(router.path).toBe('/nowhere');
  expect(router.match).toBeUndefined();
});

test('back returns to the page before', () => {
  router.navigate('/');
  browser.back();
  expect(router.match?.page).toBe('docs');
});

test('navigating to the current address adds no history entry', () => {
  router.navigate('/docs#send');
  expect(browser.entries).toHaveLength(1);
});

test('a fragment with a stray percent sign is kept as it is', () => {
  router.navigate('/docs#100%');
  expect(router.fragment).toBe('100%');
});

describe('the scroll position', () => {
  test('changes when the next page is drawn, not before', () => {
    browser.scrollY = 700;
    router.navigate('/');
    expect(browser.scrollY).toBe(700);
    router.arrive();
    expect(browser.scrollY).toBe(0);
  });

  test('is found again on the way back', () => {
    browser.scrollY = 700;
    router.navigate('/');
    router.arrive();
    browser.back();
    router.arrive();
    expect(browser.scrollY).toBe(700);
  });

  test('is left to the page when the link names a part of it', () => {
    browser.scrollY = 700;
    router.navigate('/');
    router.arrive();
    browser.scrollY = 50;
    router.navigate('/docs#other');
    router.arrive();
    expect(browser.scrollY).toBe(50);
  });

  test('returns to the top when a link leads to the page one is on', () => {
    router.navigate('/docs');
    browser.scrollY = 700;
    router.navigate('/docs');
    expect(browser.scrollY).toBe(0);
  });

  test('is left to the browser within one page', () => {
    router.navigate('/docs');
    browser.scrollY = 700;
    browser.back();
    expect(browser.scrollY).toBe(700);
  });
});

describe('a click', () => {
  test('on a link to a page of ours is taken over', () => {
    expect(browser.click('https://hub.test/')).toBe(true);
    expect(router.match?.page).toBe('front');
  });

  test.each([
    ['another site', 'https://elsewhere.test/', {}],
    ['a path only the server knows', 'https://hub.test/metrics', {}],
    ['a page that the server draws', 'https://hub.test/login?next=%2Fdocs', {}],
    ['a fragment of this page', 'https://hub.test/docs#other', {}],
    ['a new tab', 'https://hub.test/', { link: { target: '_blank' } }],
    ['a download', 'https://hub.test/', { link: { hasAttribute: () => true } }],
    ['a click with a modifier', 'https://hub.test/', { event: { ctrlKey: true } }],
    ['a middle click', 'https://hub.test/', { event: { button: 1 } }],
  ])('for %s stays with the browser', (_what, href, options) => {
    expect(browser.click(href, options)).toBe(false);
    expect(router.match?.page).toBe('docs');
  });

  test('is no longer followed after stop', () => {
    const second = new StandInBrowser('https://hub.test/');
    new Router(pages, second as unknown as Browser).start()();
    expect(second.click('https://hub.test/docs')).toBe(false);
  });
});

test('the query changes in place, leaves the rest alone and keeps the scroll position', () => {
  router.navigate('/c/general?view=board');
  browser.scrollY = 300;
  router.setQuery({ thread: '7' });
  expect(router.query.get('thread')).toBe('7');
  expect(router.address).toBe('/c/general?view=board&thread=7');
  expect(browser.scrollY).toBe(300);
  router.setQuery({ thread: undefined }, { replace: true });
  expect(router.address).toBe('/c/general?view=board');
  browser.back();
  expect(router.address).toBe('/c/general?view=board');
});
