import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** A browser that knows three names, one of them without its semicolon. */
const parse = (html: string) =>
  html
    .replace(/&hellip;/, '…')
    .replace(/&semi;/, ';')
    .replace(/&not;?/, '¬');
const seen = vi.fn();

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('document', {
    createElement: () => ({
      value: '',
      set innerHTML(html: string) {
        seen(html);
        this.value = parse(html);
      },
    }),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  seen.mockClear();
});

test.each([
  ['&hellip;', '…'],
  ['&not;', '¬'],
  ['&semi;', ';'],
  ['&notit;', '&notit;'],
  ['&unknown;', '&unknown;'],
])('%s is %s', async (text, expected) => {
  const { decodeHTMLStrict } = await import('./entities');
  expect(decodeHTMLStrict(text)).toBe(expected);
});

test.each(['<img src=x onerror=alert(1)>', '&hellip;<b>', '</textarea><script>', '&#38;'])(
  '%s never reaches the parser',
  async (text) => {
    const { decodeHTMLStrict } = await import('./entities');
    expect(decodeHTMLStrict(text)).toBe(text);
    expect(seen).not.toHaveBeenCalled();
  },
);
