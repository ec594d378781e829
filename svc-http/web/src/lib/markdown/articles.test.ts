import { expect, test } from 'vitest';
import { articleLinkAt } from './articles';
import { createMarkdown } from './markdown';
import type { Section } from './sections';

const known = {
  handle: () => false,
  channel: () => false,
  article: (slug: string) => (slug === 'nowhere' ? false : slug === 'deploy' ? true : undefined),
};
const html = (text: string) => createMarkdown().render(text, { known }).trim();

test.each([
  ['[[deploy]]', '<p><a href="/wiki/deploy" class="article">deploy</a></p>'],
  ['[[ deploy ]]', '<p><a href="/wiki/deploy" class="article">deploy</a></p>'],
  ['[[on-call|who is on call]]', '<p><a href="/wiki/on-call" class="article">who is on call</a></p>'],
  ['[[deploy|]]', '<p><a href="/wiki/deploy" class="article">deploy</a></p>'],
  ['[[deploy|<b>]]', '<p><a href="/wiki/deploy" class="article">&lt;b&gt;</a></p>'],
  ['[[nowhere]]', '<p><a href="/wiki/-/new?slug=nowhere" class="article missing">nowhere</a></p>'],
])('%s is a link', (text, expected) => expect(html(text)).toBe(expected));

test.each([
  '`[[deploy]]`',
  '```\n[[deploy]]\n```',
  '[[A b]]',
  '[[a]]',
  '[[..]]',
  '[[deploy',
  '[deploy]',
  '\\[[deploy]]',
])('%j is text', (text) => expect(html(text)).not.toContain('<a'));

test('brackets around a link, and others before it, are text', () => {
  expect(html('[[[[deploy]]]]')).toBe('<p>[[<a href="/wiki/deploy" class="article">deploy</a>]]</p>');
  expect(html('[[wrong [[run-book]]')).toContain('[[wrong <a href="/wiki/run-book"');
});

test('of two links one in the other, the inner one counts', () => {
  expect(html('[see [[deploy]]](/docs)')).toBe(
    '<p>[see <a href="/wiki/deploy" class="article">deploy</a>](/docs)</p>',
  );
});

test('a link in a table has its stroke behind a backslash', () => {
  expect(html('| a |\n|---|\n| [[deploy\\|here]] |')).toContain(
    '<a href="/wiki/deploy" class="article">here</a>',
  );
});

test('the end of a link is not far', () => {
  expect(articleLinkAt(`[[deploy|${'x'.repeat(380)}]]`, 0)?.slug).toBe('deploy');
  expect(articleLinkAt(`[[deploy|${'x'.repeat(500)}]]`, 0)).toBeUndefined();
});

test('many open brackets take no time', () => {
  const started = performance.now();
  html('[['.repeat(32 * 1024));
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('headings of an article are those of the page, with addresses and without gaps', () => {
  const sections: Section[] = [];
  const drawn = createMarkdown().render('# Setup\n### `make` it\n## Setup\ntext\n# Über *uns*\n# ...', {
    known,
    sections,
  });
  expect(sections).toEqual([
    { id: 'section-setup', text: 'Setup', depth: 0 },
    { id: 'section-make-it', text: 'make it', depth: 1 },
    { id: 'section-setup-2', text: 'Setup', depth: 1 },
    { id: 'section-über-uns', text: 'Über uns', depth: 0 },
    { id: 'section-part', text: '...', depth: 0 },
  ]);
  expect(drawn).toContain('<h2 id="section-setup">Setup</h2>');
  expect(drawn).toContain('<h3 id="section-make-it"><code>make</code> it</h3>');
});

test('headings of a message are none of the page', () => {
  expect(html('# Title')).toBe('<p class="heading h1">Title</p>');
});
