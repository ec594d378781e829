import { describe, expect, test } from 'vitest';
import { byLiteralness, matchPattern, patternOfFile } from './pattern';

describe('matchPattern', () => {
  test('the root matches only itself', () => {
    expect(matchPattern('/', '/')).toEqual({});
    expect(matchPattern('/', '/docs')).toBeUndefined();
  });

  test('a slash at the end makes no difference', () => {
    expect(matchPattern('/docs', '/docs/')).toEqual({});
  });

  test('a bracketed segment takes exactly one decoded segment', () => {
    expect(matchPattern('/c/[channel]', '/c/general%20talk')).toEqual({ channel: 'general talk' });
    expect(matchPattern('/c/[channel]', '/c')).toBeUndefined();
    expect(matchPattern('/c/[channel]', '/c/a/b')).toBeUndefined();
  });

  test('an encoded slash stays inside its segment', () => {
    expect(matchPattern('/wiki/[slug]', '/wiki/a%2Fb')).toEqual({ slug: 'a/b' });
  });

  test('a malformed escape matches nothing', () => {
    expect(matchPattern('/c/[channel]', '/c/%zz')).toBeUndefined();
  });
});

test('the folder of a page is its address', () => {
  expect(patternOfFile('./page.svelte')).toBe('/');
  expect(patternOfFile('./docs/page.svelte')).toBe('/docs');
  expect(patternOfFile('./c/[channel]/page.svelte')).toBe('/c/[channel]');
});

test('literal patterns come before those with parameters', () => {
  expect(['/runs/[id]', '/[a]/[b]', '/runs/live'].sort(byLiteralness)).toEqual([
    '/runs/live',
    '/runs/[id]',
    '/[a]/[b]',
  ]);
});
