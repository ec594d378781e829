/** Articles for tests. */

import type { Article, ArticleSummary, EditConflict, WikiMap } from './types';

const NOW = '2026-03-01T12:00:00Z';

export function sampleArticle(fields: Partial<Article> = {}): Article {
  return {
    slug: 'deploy',
    title: 'How we deploy',
    body: 'Push the button.',
    revision: 3,
    size: 16,
    protected: null,
    stale_after: null,
    is_stale: false,
    verified_by: null,
    verified_at: null,
    verified_revision: null,
    backlink_count: 0,
    redirects: [],
    redirected_from: null,
    created_by: 'ann',
    created_at: NOW,
    updated_by: 'ann',
    updated_at: NOW,
    ...fields,
  };
}

export function sampleSummary(slug: string, backlink_count = 0): ArticleSummary {
  return {
    slug,
    title: slug,
    revision: 1,
    size: 10,
    is_stale: false,
    backlink_count,
    updated_by: 'ann',
    updated_at: NOW,
  };
}

export function sampleConflict(fields: Partial<EditConflict> = {}): EditConflict {
  return {
    revision: 4,
    title: 'How we deploy',
    body: 'Push the green button.',
    updated_by: 'bob',
    updated_at: NOW,
    merge_is_clean: false,
    merged: null,
    ...fields,
  };
}

/** A map with this many articles, each of which links to one before it. */
export function sampleMap(count: number): WikiMap {
  const name = (index: number) => `page-${index}`;
  const places = Array.from({ length: count }, (_, index) => index);
  return {
    article_count: count,
    hubs: places.slice(0, Math.ceil(count / 2)).map((index) => sampleSummary(name(index), count - index)),
    orphans: places.slice(Math.ceil(count / 2)).map((index) => sampleSummary(name(index))),
    wanted: [],
    stale: [],
    links: places.slice(1).map((index) => ({ from: name(index), to: name(Math.floor(index / 3)) })),
  };
}
