/** The calls about the wiki, each with the types of its answer. */

import { answer, newIdempotencyKey, type Api } from '../api/client';
import type {
  Article,
  ArticleDiff,
  ArticleFilter,
  ArticlePage,
  ArticleRename,
  ArticleRestore,
  ArticleSave,
  ArticleVerify,
  BacklinkPage,
  NewArticle,
  RevisionPage,
  RevisionText,
  WikiMap,
} from './types';

/** The options of a request that can be given up. */
const until = (signal?: AbortSignal): { signal?: AbortSignal } => (signal ? { signal } : {});

export function listArticles(api: Api, query: ArticleFilter, signal?: AbortSignal): Promise<ArticlePage> {
  return answer(api.GET('/api/wiki/articles', { params: { query }, ...until(signal) }));
}

/** Creates one article, also when it is called twice with one key. */
export function createArticle(
  api: Api,
  body: NewArticle,
  key: string = newIdempotencyKey(),
): Promise<Article> {
  return answer(api.POST('/api/wiki/articles', { params: { header: { 'Idempotency-Key': key } }, body }));
}

export function getArticle(api: Api, slug: string, signal?: AbortSignal): Promise<Article> {
  return answer(api.GET('/api/wiki/articles/{slug}', { params: { path: { slug } }, ...until(signal) }));
}

export function saveArticle(api: Api, slug: string, body: ArticleSave): Promise<Article> {
  return answer(api.PUT('/api/wiki/articles/{slug}', { params: { path: { slug } }, body }));
}

export async function deleteArticle(api: Api, slug: string, summary: string | undefined): Promise<void> {
  const query = summary === undefined ? {} : { summary };
  await api.DELETE('/api/wiki/articles/{slug}', { params: { path: { slug }, query } });
}

export function listRevisions(
  api: Api,
  slug: string,
  query: { cursor?: number; limit?: number },
  signal?: AbortSignal,
): Promise<RevisionPage> {
  const params = { path: { slug }, query };
  return answer(api.GET('/api/wiki/articles/{slug}/revisions', { params, ...until(signal) }));
}

export function getRevision(
  api: Api,
  slug: string,
  number: number,
  signal?: AbortSignal,
): Promise<RevisionText> {
  const params = { path: { slug, number } };
  return answer(api.GET('/api/wiki/articles/{slug}/revisions/{number}', { params, ...until(signal) }));
}

export function getDiff(
  api: Api,
  slug: string,
  query: { from: number; to: number },
  signal?: AbortSignal,
): Promise<ArticleDiff> {
  const params = { path: { slug }, query };
  return answer(api.GET('/api/wiki/articles/{slug}/diff', { params, ...until(signal) }));
}

export function listBacklinks(
  api: Api,
  slug: string,
  query: { cursor?: string; limit?: number },
  signal?: AbortSignal,
): Promise<BacklinkPage> {
  const params = { path: { slug }, query };
  return answer(api.GET('/api/wiki/articles/{slug}/backlinks', { params, ...until(signal) }));
}

export function renameArticle(api: Api, slug: string, body: ArticleRename): Promise<Article> {
  return answer(api.POST('/api/wiki/articles/{slug}/rename', { params: { path: { slug } }, body }));
}

export function restoreArticle(api: Api, slug: string, body: ArticleRestore): Promise<Article> {
  return answer(api.POST('/api/wiki/articles/{slug}/restore', { params: { path: { slug } }, body }));
}

export function verifyArticle(api: Api, slug: string, body: ArticleVerify): Promise<Article> {
  return answer(api.POST('/api/wiki/articles/{slug}/verify', { params: { path: { slug } }, body }));
}

export function getMap(api: Api, signal?: AbortSignal): Promise<WikiMap> {
  return answer(api.GET('/api/wiki/map', { ...until(signal) }));
}
