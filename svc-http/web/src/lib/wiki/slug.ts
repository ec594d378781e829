/** Slugs: the names of articles in addresses and links. */

const SLUG = /^[a-z0-9][a-z0-9-]{0,98}[a-z0-9]$/;
const LONGEST = 100;

export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** The slug of a title as the server derives it: its letters and digits, with hyphens in between. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, LONGEST)
    .replace(/-+$/, '');
}

/** A title for a slug that somebody has linked to. */
export function titleOf(slug: string): string {
  const words = slug.replaceAll('-', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What is wrong with a slug, in a sentence. */
export function slugProblem(slug: string): string | undefined {
  if (isSlug(slug)) return undefined;
  return 'Use 2 to 100 lower-case letters, digits and hyphens, with no hyphen at either end.';
}

export function articleAddress(slug: string): string {
  return `/wiki/${encodeURIComponent(slug)}`;
}

/** The address of the page that creates an article, which is no slug. */
export function newAddress(slug?: string): string {
  return slug === undefined ? '/wiki/-/new' : `/wiki/-/new?slug=${encodeURIComponent(slug)}`;
}
